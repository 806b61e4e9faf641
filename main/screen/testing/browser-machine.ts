import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { SNAPSHOT_RECORD } from '../../sandbox/qemu/snapshot-record.ts'
import { openTestDriver, snapshotFolder, type TestDriver } from '../../sandbox/qemu/testing.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { atRest, openPage, report, startListener } from './guest-programs.ts'

/**
 * For machine tests: a machine with the browser open on an empty page. Starting it takes a minute under emulation, so the
 * first test of a run keeps a snapshot, and all others begin from that.
 */
export async function openBrowserMachine(id: string): Promise<{ test: TestDriver; machine: Sandbox }> {
  const home = path.join(process.env.GODHAND_TEST_HOME ?? '', 'browser')
  const test = await openTestDriver({ home })
  const kept = path.join(test.paths.snapshots, 'browser')
  if (existsSync(path.join(kept, SNAPSHOT_RECORD))) {
    const fromSnapshot = { id: 'browser', folder: kept }
    return { test, machine: await test.driver.create({ id, image: 'desktop', fromSnapshot }) }
  }
  await test.driver.prepare('desktop', () => {})
  const machine = await test.driver.create({ id, image: 'desktop' })
  await browserReady(machine)
  await rm(kept, { recursive: true, force: true })
  await machine.snapshot(await snapshotFolder(test.paths, 'browser'))
  return { test, machine }
}

/** Its window is there long before it takes a key: a page that runs says when it does. */
export async function browserReady(machine: Sandbox): Promise<void> {
  const page = `<!doctype html><title>ready</title><script>addEventListener('load',()=>setTimeout(()=>
    fetch('http://127.0.0.1:8377/ready',{method:'POST',mode:'no-cors',body:'true'}),300))</script>`
  await machine.writeFile('/tmp/ready.html', Buffer.from(page))
  await startListener(machine)
  await openPage(machine, 'file:///tmp/ready.html')
  await report(machine, 'ready', 800_000)
  await atRest(machine, 300_000)
}
