import { FrameKeeper } from '../agent/frame-keeper.ts'
import type { Action } from '../contract/action.ts'
import { GodHandError } from '../contract/errors.ts'
import type { ActResult, Settle, Step } from '../contract/task.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { performAction } from '../screen/input.ts'
import { settle } from '../screen/settle.ts'
import type { FrameStore } from '../trace/frame-store.ts'
import type { FrameRecord } from '../trace/frames.ts'

/** Still without its place in the trace. */
export type StepByHand = Omit<Step, 'taskId' | 'index'>

export type ByHand = {
  /** With secrets as they were typed. */
  step: StepByHand
  frames: FrameRecord[]
  result: { text?: string }
  /** What went wrong in doing it: it belongs into the trace and to the person. */
  error: GodHandError | null
}

/** One action outside of any trace, and how the screen came to rest after it. */
export async function actAndSettle(sandbox: Sandbox, action: Action): Promise<{ text?: string; settle: Settle }> {
  const before = await sandbox.capture()
  const result = await performAction(sandbox, action)
  const { frame: _, ...rest } = await settle(sandbox, before)
  return { ...result, settle: rest }
}

type Done = Pick<Step, 'actions' | 'before' | 'after' | 'settle' | 'snapshotBefore' | 'startedAt'> & {
  actMs: number
  thought?: string
}

/** A step whose author is the person. Nothing was promised, so nothing is checked. */
export function stepByHand({ actMs, thought = 'By hand', ...done }: Done): StepByHand {
  const settleMs = done.settle?.tookMs ?? 0
  return {
    ...done,
    thought,
    checks: [],
    verdict: done.actions.some(({ result }) => !result.ok) ? 'fail' : 'unchecked',
    snapshotAfter: null,
    timing: { planMs: 0, actMs, settleMs, verifyMs: 0, totalMs: actMs + settleMs },
    by: 'person',
  }
}

/** Does what a person asked for while they have taken over, recorded as the agent's own doing would be. */
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
  const outcome: ActResult = error ? { ok: false, error: error.toInfo() } : { ok: true, ...result }
  const step = stepByHand({
    actions: [{ act: action, result: outcome }],
    before: await frames.keep(before),
    after: await frames.keep(frame),
    settle: rest,
    snapshotBefore,
    startedAt,
    actMs,
  })
  return { step, frames: frames.takeFresh(), result, error }
}
