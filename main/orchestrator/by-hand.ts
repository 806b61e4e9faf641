import { FrameKeeper } from '../agent/frame-keeper.ts'
import type { Action } from '../contract/action.ts'
import { GodHandError } from '../contract/errors.ts'
import type { ActResult, Step } from '../contract/task.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { performAction } from '../screen/input.ts'
import { settle } from '../screen/settle.ts'
import type { FrameStore } from '../trace/frame-store.ts'
import type { FrameRecord } from '../trace/frames.ts'

export type ByHand = {
  /** Still without its place in the trace, and with secrets as they were typed. */
  step: Omit<Step, 'taskId' | 'index'>
  frames: FrameRecord[]
  result: { text?: string }
  /** What went wrong in doing it: it belongs into the trace and to the person. */
  error: GodHandError | null
}

/** What a person does while they have taken over, recorded as the agent's own doing would be. */
export async function doByHand(
  sandbox: Sandbox,
  action: Action,
  store: FrameStore,
  snapshotBefore: string | null,
): Promise<ByHand> {
  const frames = new FrameKeeper(store)
  const startedAt = new Date().toISOString()
  const before = await sandbox.capture()
  const began = performance.now()
  let error: GodHandError | null = null
  let result: { text?: string } = {}
  try {
    result = await performAction(sandbox, action)
  } catch (thrown) {
    error = GodHandError.from(thrown)
    if (error.code === 'machine_died') throw error
  }
  const actMs = performance.now() - began
  const { frame, ...rest } = await settle(sandbox, before)
  const settleMs = performance.now() - began - actMs
  const outcome: ActResult = error ? { ok: false, error: error.toInfo() } : { ok: true, ...result }
  const step: ByHand['step'] = {
    thought: 'By hand',
    actions: [{ act: action, result: outcome }],
    before: await frames.keep(before),
    after: await frames.keep(frame),
    settle: rest,
    checks: [],
    verdict: error ? 'fail' : 'unchecked',
    snapshotBefore,
    snapshotAfter: null,
    startedAt,
    timing: { planMs: 0, actMs, settleMs, verifyMs: 0, totalMs: actMs + settleMs },
    by: 'person',
  }
  return { step, frames: frames.takeFresh(), result, error }
}
