import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { Environment } from '../../contract/environment.ts'
import { noUsage } from '../../contract/usage.ts'
import { exportBundle } from '../export/export-trace.ts'
import { importBundle } from '../import/import-bundle.ts'
import { emptyHouse, record } from '../testing/recorded.ts'
import { sampleMachine } from '../testing/samples.ts'
import { verifyBundle } from './verify-bundle.ts'

test('a trace exported, verified and imported on an empty home is the same trace', async () => {
  const here = await emptyHouse()
  const task = await record(here, { steps: 120 })
  here.store.tags.add(task.id, 'demo')
  const machine = sampleMachine({ taskId: task.id })
  here.store.machines.insert(machine)
  const made = Environment.parse({ imageHash: 'a'.repeat(64), qemuVersion: '10.0.2' })
  here.store.machines.setEnvironment(machine.id, made)
  const usage = { ...noUsage, inputTokens: 1200, outputTokens: 80, usd: 0.01 }
  here.store.conversations.save(task.id, null, { steps: 120, usage, elapsedMs: 5 })
  const file = path.join(here.folder, 'a.ghtrace')
  const progress: string[] = []
  const exported = await exportBundle(here.store, here.frames, task.id, file, {
    onProgress: ({ step }) => progress.push(step),
  })
  expect(new Set(progress)).toEqual(new Set(['Packing pictures', 'Packing steps']))
  expect(exported.manifest.steps.count).toBe(120)
  expect(exported.bytes).toBe(fs.statSync(file).size)

  const report = await verifyBundle(file)
  expect(report).toMatchObject({
    ok: true,
    problems: [],
    steps: 120,
    frames: 121,
    goal: task.goal,
    sha256: exported.sha256,
  })

  const there = await emptyHouse()
  const imported = await importBundle(file, there.store, there.frames)
  expect(imported.task).toEqual(task)
  expect(there.store.tasks.get(task.id)).toEqual(here.store.tasks.get(task.id))
  expect(there.store.tasks.request(task.id)).toEqual(here.store.tasks.request(task.id))
  expect(there.store.steps.list(task.id)).toEqual(here.store.steps.list(task.id))
  expect(there.store.tags.of(task.id)).toEqual(['demo'])
  for (const { hash } of here.store.frames.ofTask(task.id))
    expect(await there.frames.get(hash)).toEqual(await here.frames.get(hash))

  const again = path.join(there.folder, 'b.ghtrace')
  await exportBundle(there.store, there.frames, task.id, again)
  const reexported = await verifyBundle(again)
  expect(reexported.ok).toBe(true)
  const origin = there.store.imports.get(task.id)
  expect(origin?.sha256).toBe(exported.sha256)
  expect(origin?.manifest).toMatchObject({ environment: made, cost: usage, model: null })
}, 60_000)

test('the bundle opens with ordinary tools, sha256sum agrees with it, and so does the script in the documentation', async () => {
  const house = await emptyHouse()
  const task = await record(house)
  const file = path.join(house.folder, 'a.ghtrace')
  await exportBundle(house.store, house.frames, task.id, file)
  const out = path.join(house.folder, 'out')
  const unzip = `import zipfile,sys\nz=zipfile.ZipFile(sys.argv[1]);assert z.testzip() is None;z.extractall(sys.argv[2])`
  execFileSync('python3', ['-c', unzip, file, out])
  expect(fs.readdirSync(out).sort()).toEqual(['SHA256SUMS', 'frames', 'lineage.json', 'manifest.json', 'steps.jsonl'])
  const doc = fs.readFileSync(new URL('../../../docs/trace-format.md', import.meta.url), 'utf8')
  const chain = /```python\n([\s\S]*?)```/.exec(doc)?.[1] ?? 'raise Exception("not in the document")'
  execFileSync('python3', ['-c', chain], { cwd: out })
  const steps = path.join(out, 'steps.jsonl')
  fs.writeFileSync(steps, fs.readFileSync(steps, 'utf8').replace('frog', 'toad'))
  expect(() => execFileSync('python3', ['-c', chain], { cwd: out, stdio: 'pipe' })).toThrow('AssertionError')
  fs.writeFileSync(steps, fs.readFileSync(steps, 'utf8').replace('toad', 'frog'))
  const sums = execFileSync('sha256sum', ['-c', 'SHA256SUMS'], { cwd: out, encoding: 'utf8' })
  expect(
    sums
      .trim()
      .split('\n')
      .every((line) => line.endsWith(': OK')),
  ).toBe(true)
})

test('one flipped bit is found wherever it is, tried at 200 random places and in every part of the zip', async () => {
  const house = await emptyHouse()
  const task = await record(house)
  const file = path.join(house.folder, 'a.ghtrace')
  await exportBundle(house.store, house.frames, task.id, file)
  const sound = fs.readFileSync(file)
  const places = Array.from({ length: 200 }, () => Math.floor(Math.random() * sound.length))
  places.push(0, 3, 10, 29, sound.length - 1, sound.length - 80, sound.length - 90, sound.length - 101)
  for (const place of places) {
    const bad = Buffer.from(sound)
    bad[place] = (bad[place] ?? 0) ^ (1 << Math.floor(Math.random() * 8))
    fs.writeFileSync(file, bad)
    const report = await verifyBundle(file)
    expect(report.ok, `byte ${place}`).toBe(false)
  }
  for (const changed of [Buffer.concat([sound, Buffer.from('x')]), sound.subarray(1), sound.subarray(0, -1)]) {
    fs.writeFileSync(file, changed)
    expect((await verifyBundle(file)).ok).toBe(false)
  }
  fs.writeFileSync(file, sound)
  expect((await verifyBundle(file)).ok).toBe(true)
}, 60_000)

test('a cancelled export leaves no file, and a running task is not exported', async () => {
  const house = await emptyHouse()
  const task = await record(house, { steps: 20 })
  const stop = new AbortController()
  const file = path.join(house.folder, 'a.ghtrace')
  const onProgress = () => stop.abort()
  await expect(
    exportBundle(house.store, house.frames, task.id, file, { signal: stop.signal, onProgress }),
  ).rejects.toMatchObject({ code: 'cancelled' })
  expect(fs.readdirSync(house.folder).filter((name) => name.includes('ghtrace'))).toEqual([])
  const running = await record(house, { steps: 1, task: { state: 'running' } })
  await expect(exportBundle(house.store, house.frames, running.id, file)).rejects.toMatchObject({ code: 'conflict' })
})
