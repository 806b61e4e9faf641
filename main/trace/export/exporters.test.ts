import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { type Browser, chromium as launcher } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import type { Act } from '../../contract/action.ts'
import type { ExportFormat } from '../../contract/trace.ts'
import { chromium } from '../testing/chromium.ts'
import { emptyHouse, type House, record } from '../testing/recorded.ts'
import { sampleBranch } from '../testing/samples.ts'
import { cell } from './csv.ts'
import { exportName, exportTrace } from './export-trace.ts'
import { pythonAction } from './python-action.ts'
import { writers } from './writers.ts'

const executablePath = chromium()
let browser: Browser | undefined
afterAll(() => browser?.close())

async function exported(format: ExportFormat, house?: House, taskId?: string): Promise<string> {
  const home = house ?? (await emptyHouse())
  const id = taskId ?? (await record(home)).id
  const file = path.join(home.folder, `out.${writers[format].extension}`)
  await exportTrace(home.store, home.frames, id, format, file)
  return file
}

test('the table of steps is one a spreadsheet opens without running anything in it', async () => {
  const house = await emptyHouse()
  const task = await record(house, {
    step: (index) => ({ thought: index === 1 ? '=HYPERLINK("http://x","y")' : 'Say "hi",\nthen go' }),
  })
  const text = fs.readFileSync(await exported('csv', house, task.id), 'utf8')
  const rows: string[][] = JSON.parse(
    execFileSync('python3', ['-c', 'import csv,json,sys; print(json.dumps(list(csv.reader(sys.stdin))))'], {
      input: text.slice(1),
      encoding: 'utf8',
    }),
  )
  expect(text.charCodeAt(0)).toBe(0xfeff)
  expect(rows).toHaveLength(4)
  const thought = rows[0]?.indexOf('thought') ?? -1
  expect(rows.slice(1).map((row) => row[thought])).toEqual([
    'Say "hi",\nthen go',
    `'=HYPERLINK("http://x","y")`,
    'Say "hi",\nthen go',
  ])
  for (const start of ['=1', '+1', '-1', '@x', '\t=1', '\r=1', ' =1', '|calc', '%0A'])
    expect(cell(start)).toMatch(/^"?'/)
  expect(cell(-1.5)).toBe('-1.5')
})

test('the OSWorld folder has a line a step, the screenshots they name, and the score', async () => {
  const file = await exported('osworld')
  const read = `import zipfile,json,sys; z=zipfile.ZipFile(sys.argv[1]); print(json.dumps({"names": z.namelist(), "lines": [json.loads(l) for l in z.read("traj.jsonl").splitlines()], "score": z.read("result.txt").decode()}))`
  const { names, lines, score } = JSON.parse(execFileSync('python3', ['-c', read, file], { encoding: 'utf8' }))
  expect(score).toBe('1.0\n')
  expect(lines).toHaveLength(3)
  expect(lines[0]).toMatchObject({ step_num: 1, reward: 0, done: false, action_timestamp: '20260101@120000000000' })
  expect(lines[0].action).toBe(
    'pyautogui.click(10, 20, clicks=2, button="left")\npyautogui.typewrite("a frog leaps into")\npyautogui.hotkey("ctrl", "s")',
  )
  expect(lines[2]).toMatchObject({ step_num: 3, reward: 1, done: true })
  for (const { screenshot_file } of lines) expect(names).toContain(screenshot_file)
  expect(names.filter((name: string) => name.endsWith('.png'))).toHaveLength(4)
})

test('ways that lost are no part of a trajectory or a conversation: they happened on other machines', async () => {
  const house = await emptyHouse()
  const task = await record(house, {
    steps: 5,
    step: (index) => ({ thought: `Thought ${index}`, ...(index in ways && { branchId: ways[index] }) }),
  })
  house.store.branches.insert(sampleBranch(task.id, { id: 'branch_won', won: true, state: 'passed' }))
  house.store.branches.insert(sampleBranch(task.id, { id: 'branch_lost', option: 1, state: 'failed' }))
  const inside = { id: 'branch_inside', parentId: 'branch_lost', decisionId: 'choice_2', won: true }
  house.store.branches.insert(sampleBranch(task.id, { ...inside, createdAt: '2026-01-01T12:00:01.000Z' }))
  const read = `import zipfile,sys; sys.stdout.buffer.write(zipfile.ZipFile(sys.argv[1]).read("traj.jsonl"))`
  const osworld = execFileSync('python3', ['-c', read, await exported('osworld', house, task.id)], { encoding: 'utf8' })
  const said = [osworld, fs.readFileSync(await exported('anthropic', house, task.id), 'utf8')]
  for (const text of said) expect(text.match(/Thought \d/g)).toEqual(['Thought 0', 'Thought 1', 'Thought 4'])
})
const ways: Record<number, string> = { 1: 'branch_won', 2: 'branch_lost', 3: 'branch_inside' }

test('every action becomes Python that compiles', () => {
  const at = { x: 1.4, y: 2.6 }
  const acts: Act[] = [
    { type: 'move', to: at },
    { type: 'click', at, button: 'right', count: 3, modifiers: ['ctrl', 'shift'] },
    { type: 'click', button: 'left', count: 1 },
    { type: 'drag', path: [at, { x: 5, y: 5 }, { x: 9, y: 9 }], button: 'left' },
    { type: 'mouse_down', button: 'left' },
    { type: 'mouse_up', at, button: 'left' },
    { type: 'scroll', at, dx: 2, dy: -3 },
    { type: 'type', text: 'it\'s "quoted" \\ and\nnew 😀 \ud800' },
    { type: 'key', chord: 'ctrl+alt+t', repeat: 2 },
    { type: 'hold', chord: 'shift+a', seconds: 0.5 },
    { type: 'wait', seconds: 1 },
    { type: 'exec', command: 'echo "$HOME"', timeoutSeconds: 5 },
    { type: 'read_file', path: '/tmp/a' },
    { type: 'write_file', path: '/tmp/a', text: 'x' },
  ]
  const code = acts.map(pythonAction)
  expect(code[0]).toBe('pyautogui.moveTo(1, 3)')
  expect(code[6]).toBe('pyautogui.scroll(3, 1, 3)\npyautogui.hscroll(2, 1, 3)')
  execFileSync('python3', ['-c', 'import sys,ast; ast.parse(sys.stdin.read())'], { input: code.join('\n') })
  expect(pythonAction({ type: 'screenshot' })).toBeNull()
})

test('a conversation is one line in which every call has its result and roles take turns', async () => {
  const anthropic = fs.readFileSync(await exported('anthropic'), 'utf8')
  expect(anthropic.trimEnd().split('\n')).toHaveLength(1)
  const { messages, metadata } = JSON.parse(anthropic)
  expect(metadata).toMatchObject({ success: true })
  expect(messages.map(({ role }: { role: string }) => role)).toEqual([
    'user',
    'assistant',
    'user',
    'assistant',
    'user',
    'assistant',
    'user',
    'assistant',
  ])
  expect(messages[1].content[1]).toEqual({
    type: 'tool_use',
    id: 'call_1_1',
    name: 'computer',
    input: { action: 'double_click', coordinate: [10, 20] },
  })
  const parts = messages.flatMap(({ content }: { content: { type: string }[] }) => content)
  const uses = parts.filter(({ type }: { type: string }) => type === 'tool_use').map(({ id }: { id: string }) => id)
  const results = parts
    .filter(({ type }: { type: string }) => type === 'tool_result')
    .map(({ tool_use_id: id }: { tool_use_id: string }) => id)
  expect(results).toEqual(uses)
  const screen = messages[0].content[1].source
  expect((await sharp(Buffer.from(screen.data, 'base64')).metadata()).format).toBe('png')

  const openai = JSON.parse(fs.readFileSync(await exported('openai'), 'utf8')).messages
  expect(openai[1].tool_calls[0].function).toEqual({
    name: 'computer',
    arguments: '{"type":"double_click","x":10,"y":20}',
  })
  const calls = openai.flatMap(({ tool_calls = [] }: { tool_calls?: { id: string }[] }) =>
    tool_calls.map(({ id }) => id),
  )
  expect(
    openai
      .filter(({ role }: { role: string }) => role === 'tool')
      .map(({ tool_call_id: id }: { tool_call_id: string }) => id),
  ).toEqual(calls)
})

test('the GIF has the pictures in order, each as long as it should be seen, with a caption below', async () => {
  const gif = await sharp(await exported('gif'), { animated: true }).metadata()
  expect(gif).toMatchObject({ format: 'gif', width: 320, loop: 0, pages: 6 })
  expect(gif.delay).toEqual([700, 1500, 700, 1500, 700, 1500])
  expect(gif.pageHeight).toBeGreaterThan(200)
})

test.skipIf(!executablePath)(
  'the video plays in a browser, with its length and its pictures',
  async () => {
    const file = await exported('webm')
    browser ??= await launcher.launch({
      executablePath: executablePath ?? '',
      args: ['--no-sandbox', '--autoplay-policy=no-user-gesture-required'],
    })
    const page = await browser.newPage()
    const seen = await page.evaluate(
      async (base64) => {
        const bytes = await (await fetch(`data:video/webm;base64,${base64}`)).blob()
        const video = document.createElement('video')
        video.src = URL.createObjectURL(bytes)
        if (video.readyState < 1)
          await new Promise((resolve) => video.addEventListener('loadedmetadata', resolve, { once: true }))
        const canvas = document.createElement('canvas')
        canvas.width = video.videoWidth
        canvas.height = video.videoHeight
        const pen = canvas.getContext('2d')
        const colours: number[][] = []
        for (const time of [0.3, 6.4]) {
          video.pause()
          const ready = new Promise((resolve) => video.addEventListener('seeked', resolve, { once: true }))
          video.currentTime = time
          await ready
          pen?.drawImage(video, 0, 0)
          colours.push([...(pen?.getImageData(300, 20, 1, 1).data ?? [])].slice(0, 3))
        }
        return { width: video.videoWidth, height: video.videoHeight, duration: video.duration, colours }
      },
      fs.readFileSync(file, 'base64'),
    )
    expect(seen.width).toBe(320)
    expect(seen.duration).toBeCloseTo(6.6, 1)
    // The background of picture n is rgb(n, 0, 90), as far as a lossy codec keeps it.
    for (const [red = 99, green = 99, blue = 0] of seen.colours) {
      expect(Math.max(red, green)).toBeLessThan(16)
      expect(Math.abs(blue - 90)).toBeLessThan(16)
    }
    await page.close()
  },
  60_000,
)

test('progress is told, and a cancelled export of any format leaves no file', async () => {
  const house = await emptyHouse()
  const { id } = await record(house, { steps: 12 })
  for (const format of ['html', 'gif', 'webm', 'osworld', 'anthropic', 'bundle'] as const) {
    const stop = new AbortController()
    let told = 0
    const onProgress = () => {
      if (++told === 2) stop.abort()
    }
    const file = path.join(house.folder, `cancelled.${format}`)
    const work = exportTrace(house.store, house.frames, id, format, file, { onProgress, signal: stop.signal })
    await expect(work, format).rejects.toMatchObject({ code: 'cancelled' })
  }
  expect(fs.readdirSync(house.folder).filter((name) => name.includes('cancelled'))).toEqual([])
})

test('a folder that is not there and a trace that is not there are said to be so', async () => {
  const house = await emptyHouse()
  const { id } = await record(house, { steps: 1 })
  const nowhere = path.join(house.folder, 'no', 'such', 'a.csv')
  await expect(exportTrace(house.store, house.frames, id, 'csv', nowhere)).rejects.toMatchObject({ code: 'not_found' })
  await expect(exportTrace(house.store, house.frames, 'task_none', 'csv', nowhere)).rejects.toMatchObject({
    code: 'not_found',
  })
})

test('a file is named after the goal', () => {
  expect(exportName({ id: 'task_1', goal: 'Büro: write a/b!' }, 'bundle')).toBe('bu-ro-write-a-b.ghtrace')
  expect(exportName({ id: 'task_1', goal: '手紙' }, 'html')).toBe('task_1.html')
})
