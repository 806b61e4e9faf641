import { spawn } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { ErrorInfo, GodHandError } from '../contract/errors.ts'
import type { Paths } from '../paths.ts'
import { appRoot } from './app-root.ts'
import { ensureWritable, isHeld, readLock } from './engine-lock.ts'
import { type FoundEngine, findEngine } from './find-engine.ts'

const ChildMessage = z.union([z.object({ ready: z.literal(true) }), z.object({ error: ErrorInfo })])
const START_LIMIT_MS = 120_000

/** Brings QEMU, and the guest image too if it is wanted, where they are missing; shows how far it is on standard error. */
export async function prepareMachines(options: { image: boolean }): Promise<void> {
  const script = path.join(appRoot(), 'build', 'prepare.ts')
  if (!existsSync(script)) return // an installed app carries both
  const failure = await runChild(script, options.image ? [] : ['--no-image'], { detached: false, output: 'inherit' })
  if (failure) throw failure
}

/** Starts an engine that outlives this process, and waits until it answers. */
export async function startEngine(paths: Paths): Promise<FoundEngine> {
  ensureWritable(paths)
  mkdirSync(paths.logs, { recursive: true })
  const limit = Date.now() + START_LIMIT_MS
  while (Date.now() < limit) {
    const output = openSync(path.join(paths.logs, 'background.log'), 'a', 0o600)
    const failure = await runChild(path.join(import.meta.dirname, 'background.ts'), [], { detached: true, output })
    closeSync(output)
    if (failure && failure.code !== 'engine_running') throw failure
    // Another has the folder: one that a command started at the same moment serves as well; one that is leaving is
    // waited for, and then it is our turn again.
    const found = await waitForEngine(paths, limit)
    if (found) return found
  }
  throw new GodHandError('engine_unreachable', 'An engine was started but does not answer.', {
    hint: `Its log may say why: ${paths.engineLog}`,
  })
}

/** The engine that holds the folder once it answers; null when nobody holds it any more. */
async function waitForEngine(paths: Paths, limit: number): Promise<FoundEngine | null> {
  while (Date.now() < limit) {
    const found = await findEngine(paths)
    if (found) return found
    const note = readLock(paths)
    if (!note || !(await isHeld(note))) return null
    await pause(50)
  }
  return null
}

/** Runs a script until it says it is ready, ends, or fails; null means well. */
function runChild(
  script: string,
  args: string[],
  how: { detached: boolean; output: number | 'inherit' },
): Promise<GodHandError | null> {
  return new Promise((resolve) => {
    const output = how.output === 'inherit' ? 2 : how.output // what the child says must not mix with our own answer
    const child = spawn(process.execPath, [script, ...args], {
      detached: how.detached,
      stdio: ['ignore', output, output, 'ipc'],
      cwd: appRoot(),
    })
    const letGo = (result: GodHandError | null) => {
      if (how.detached) {
        if (child.connected) child.disconnect()
        child.unref()
      }
      resolve(result)
    }
    child.on('message', (message) => {
      const told = ChildMessage.safeParse(message).data
      if (told) letGo('error' in told ? GodHandError.fromInfo(told.error) : null)
    })
    child.once('error', (error) => letGo(GodHandError.from(error)))
    child.once('exit', (code, signal) => {
      if (code === 0) return letGo(null)
      const stopped = code === 130 || signal === 'SIGINT'
      const name = path.basename(script)
      letGo(
        stopped
          ? new GodHandError('cancelled', 'Stopped.')
          : new GodHandError('internal', `${name} ended ${signal ? `by ${signal}` : `with code ${code}`}.`),
      )
    })
  })
}
