import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestDriver, type TestDriver } from '../../sandbox/qemu/testing.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { diffPicture } from '../../screen/diff-picture.ts'
import { decodePng } from '../../screen/frames.ts'
import { start, windowArea } from '../../screen/testing/guest-programs.ts'
import { captureState, diffStates } from './state-diff.ts'

let test: TestDriver
let machine: Sandbox

beforeAll(async () => {
  test = await openTestDriver()
  await test.driver.prepare('desktop', () => {})
  machine = await test.driver.create({ id: 'diff', image: 'desktop' })
})
afterAll(() => test.close())

it('tells what changed in a real machine: files, processes, windows, packages, ports and the screen', async () => {
  await machine.exec('echo one > ~/changed.txt; echo away > ~/removed.txt')
  const before = await captureState(machine)

  await machine.exec('printf "one\\ntwo\\n" > ~/changed.txt; rm ~/removed.txt; echo fresh > ~/added.txt')
  await start(machine, [
    'perl',
    '-MIO::Socket::INET',
    '-e',
    "my $s = IO::Socket::INET->new(LocalAddr=>'127.0.0.1',LocalPort=>4711,Listen=>1); sleep 600",
  ])
  await start(machine, ['xterm', '-title', 'Newcomer'])
  await windowArea(machine, 'Newcomer')
  const status =
    'Package: godhand-probe\\nStatus: install ok installed\\nArchitecture: all\\nMaintainer: nobody\\nVersion: 1.0\\nDescription: a probe\\n\\n'
  await machine.exec(`printf '${status}' | sudo tee -a /var/lib/dpkg/status >/dev/null`)
  await expect.poll(async () => (await machine.exec('ss -ltn')).stdout, { timeout: 20_000 }).toContain(':4711')

  const after = await captureState(machine)
  const diff = diffStates(before, after)
  const paths = (entries: { path: string }[]) => entries.map(({ path }) => path)
  expect(diff.unknown).toEqual([])
  expect(paths(diff.files.added)).toContain('/home/user/added.txt')
  expect(paths(diff.files.removed)).toEqual(['/home/user/removed.txt'])
  expect(diff.files.changed.find(({ path }) => path === '/home/user/changed.txt')?.diff).toContain('+two')
  expect(diff.processes.started.map(({ name }) => name)).toEqual(expect.arrayContaining(['perl', 'xterm']))
  expect(diff.windows.opened.map(({ title }) => title)).toEqual(['Newcomer'])
  expect(diff.packages.installed).toEqual([{ name: 'godhand-probe', version: '1.0' }])
  expect(diff.ports.opened.map(({ address }) => address)).toEqual(['127.0.0.1:4711'])
  expect(diff.screen.share).toBeGreaterThan(0.01)

  if (!before.frame || !after.frame) throw new Error('no screen')
  const picture = await decodePng(await diffPicture(before.frame, after.frame))
  expect(picture.width).toBeGreaterThanOrEqual(before.frame.width * 2)
})
