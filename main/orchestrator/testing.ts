import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Engine } from '../engine.ts'
import { silentLog } from '../log.ts'
import { type Paths, pathsIn } from '../paths.ts'
import { FakeDriver } from '../sandbox/fake/driver.ts'
import type { FakeExec } from '../sandbox/fake/machine.ts'
import { openEngine } from './engine.ts'

export type TestEngine = { engine: Engine; driver: FakeDriver; paths: Paths; close: () => Promise<void> }

/** A real engine on painted machines, with a data folder of its own. */
export async function openTestEngine(exec?: FakeExec): Promise<TestEngine> {
  const paths = pathsIn(await fs.mkdtemp(path.join(os.tmpdir(), 'gh-engine-')))
  const driver = new FakeDriver(exec)
  const engine = await openEngine({ paths, log: silentLog, driver })
  const close = async () => {
    await engine.close()
    await fs.rm(paths.home, { recursive: true, force: true })
  }
  return { engine, driver, paths, close }
}
