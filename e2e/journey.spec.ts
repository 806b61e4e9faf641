import { readFile } from 'node:fs/promises'
import { App } from './app.ts'
import { expect, test } from './engine.ts'
import { TaskPage } from './task-page.ts'
import { TimePage } from './time-page.ts'

/** Everything is looked at by another road as well: the command line, in a process of its own. */
test('a newcomer plays the demo, steps in, travels back in time, and takes the trace along', async ({
  page,
  engine,
}, testInfo) => {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  const inGuest = async (machine: string, command: string) =>
    (await engine.cli('vm', 'exec', machine, '--', 'sh', '-c', `${command}; true`)).trim()

  await page.goto(await engine.start())
  const app = new App(page)
  await app.waitUntilReady()
  await app.playDemo()
  const { taskId } = app
  const task = new TaskPage(page)
  await expect(task.machine.screen).toBeVisible()
  await expect(task.step(1)).toBeVisible({ timeout: 120_000 })

  await test.step('take over, type by hand, keep this moment, hand back', async () => {
    await task.takeOver()
    const [{ id }] = JSON.parse(await engine.cli('vm', 'list', '--json'))
    await task.machine.press('Control+Alt+t')
    // What is typed before the terminal has the focus would go into the letter.
    const inFront = JSON.stringify({ check: 'window_active', title: 'Terminal' })
    await engine.cli('vm', 'check', id, inFront, '--timeout', '60')
    const hostname = await inGuest(id, 'cat /etc/hostname')
    await task.machine.type('cp /etc/hostname byhand.txt\n')
    await expect.poll(() => inGuest(id, 'cat /home/user/byhand.txt'), { timeout: 60_000 }).toBe(hostname)
    await task.machine.type('exit\n')
    await expect.poll(() => inGuest(id, 'pgrep -c -x xterm'), { timeout: 60_000 }).toBe('0')
    await task.checkpoint()
    await task.handBack()
  })

  await expect(task.state('Done')).toBeVisible({ timeout: 240_000 })
  const [{ id: machine }] = JSON.parse(await engine.cli('vm', 'list', '--json'))
  expect(await inGuest(machine, 'cat /home/user/letter.txt')).toContain('this desktop did not exist a moment ago')
  await expect(task.steps.filter({ hasText: 'By hand' }).first()).toBeAttached()

  await test.step('a terminal into the guest, and a file out of it', async () => {
    await task.machine.inTerminal('echo $((6*7)) > answer.txt')
    await expect.poll(() => inGuest(machine, 'cat /home/user/answer.txt')).toBe('42')
    const saved = testInfo.outputPath('letter.txt')
    await (await task.machine.saveFile('letter.txt')).saveAs(saved)
    expect(await readFile(saved, 'utf8')).toContain('this desktop did not exist a moment ago')
  })

  await test.step('go back to a middle step and go on from there', async () => {
    await task.openTimeTravel()
    const time = new TimePage(page)
    await time.choose(time.moments.first())
    await time.name('Before the seal')
    const fork = await time.continueByHand()
    await expect(task.machine.screen).toBeVisible()
    expect(await inGuest(fork, 'ls /home/user')).toContain('byhand.txt')
    expect(await inGuest(fork, 'ls /home/user')).not.toContain('letter.sha256')
    expect(await inGuest(machine, 'ls /home/user')).toContain('letter.sha256')
  })

  await test.step('export, and verify what came out', async () => {
    await page.goto(new URL(`/tasks/${taskId}`, page.url()).href)
    const file = testInfo.outputPath('demo.ghtrace')
    await (await task.exportAs(/ghtrace/)).saveAs(file)
    expect(JSON.parse(await engine.cli('trace', 'verify', file, '--json'))).toMatchObject({ ok: true })
    const trace = JSON.parse(await engine.cli('trace', 'show', taskId, '--json'))
    expect(trace.task.state).toBe('succeeded')
    expect(trace.steps.some(({ by }: { by?: string }) => by === 'person')).toBe(true)
    for (const step of trace.steps) {
      expect(step.before).toMatch(/^[0-9a-f]{64}$/)
      expect(step.after).toMatch(/^[0-9a-f]{64}$/)
      if (step.by !== 'person') expect(step.timing.totalMs).toBeGreaterThan(0)
    }
  })
  expect(errors).toEqual([])
})
