import type { Actions, Trial } from '../agent/loop-context.ts'
import { captureState, diffStates } from '../agent/verify/state-diff.ts'
import { describeDiff } from '../contract/describe-diff.ts'
import type { EgressAttempt } from '../contract/egress.ts'
import { GodHandError } from '../contract/errors.ts'
import type { Log } from '../log.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Line } from './line.ts'
import type { Machines } from './machines.ts'

type Stage = {
  machines: Machines
  line: Line
  taskId: string
  image: string
  allow: string[]
  signal: AbortSignal
  log: Log
}

/**
 * Does something in a throwaway copy of the machine, with the network held back, and shows what came of it. The machine
 * itself stands still meanwhile. Null when no copy can be had: then the person decides without.
 */
export async function rehearse(
  { machines, line, taskId, image, allow, signal, log }: Stage,
  work: (copy: Sandbox) => Promise<Actions>,
): Promise<Trial | null> {
  const original = line.machineId
  const egress: EgressAttempt[] = []
  let copy: string | null = null
  const discard = async () => {
    if (copy) await machines.destroy(copy).catch(() => {}) // it may have died by itself
    copy = null
    await machines.setPaused(original, false)
  }
  try {
    const stateBefore = await captureState(line.sandbox())
    const { id: fromSnapshot } = await line.keep('before a risky step')
    await machines.setPaused(original, true)
    const before = await machines.screenshot(original)
    const wish = { image, name: 'trying it out', boot: false, allow, fromSnapshot }
    copy = (await machines.create(wish, taskId, signal, (attempt) => egress.push(attempt))).id
    const id = copy
    const actions = await work(machines.sandbox(id))
    const after = await machines.screenshot(id)
    const diff = diffStates(stateBefore, await captureState(machines.sandbox(id)))
    egress.push(...(await machines.triedAside(id)))
    await machines.setPaused(id, true)
    const outputs = actions.map(({ result }) => result.text ?? result.error?.message ?? '')
    return {
      consequence: { diff, changes: describeDiff(diff), before: before.frame, after: after.frame, outputs, egress },
      actions,
      discard,
      accept: async () => {
        // What it wanted from the network it did not get: that only happens when it is done for real. Where a task may
        // reach nothing, it would be the same once more.
        if (egress.length > 0 && allow.length > 0) {
          await discard()
          return false
        }
        await machines.setPaused(id, false)
        await machines.release(id)
        await line.switchTo(id)
        return true
      },
    }
  } catch (thrown) {
    await discard()
    signal.throwIfAborted()
    log.warn({ taskId, err: GodHandError.from(thrown).toInfo() }, 'a risky step could not be tried out')
    return null
  }
}
