import { GodHandError } from '../../../contract/errors.ts'
import type { ReplayChoice } from '../../../contract/replay.ts'
import type { Step, Task } from '../../../contract/task.ts'
import type { RawFrame } from '../../../sandbox/sandbox.ts'
import { decodePng } from '../../../screen/frames.ts'
import type { FrameStore } from '../../../trace/frame-store.ts'
import type { StoreReader } from '../../../trace/store.ts'
import { historyOf, wayTo } from '../../../trace/way-to-step.ts'

/** A finished trace as replay needs it: what was done, and what the screen showed before and after. */
export type Recording = {
  task: Task
  /** Those that led to its end, or to the step it is replayed up to. */
  steps: Step[]
  /** Null when the picture was lost. */
  frame(hash: string): Promise<RawFrame | null>
}

/** `base`: the snapshot it is done again on; null: a fresh desktop. */
export function openRecording(
  store: StoreReader,
  frames: FrameStore,
  { taskId, upTo }: Pick<ReplayChoice, 'taskId' | 'upTo'>,
  base: string | null,
): Recording {
  const task = store.tasks.get(taskId)
  if (!task)
    throw new GodHandError('not_found', `There is no trace ${taskId}.`, { hint: 'List them: godhand trace list' })
  const history = historyOf(store, taskId)
  const { steps } = wayTo(history, Math.min(upTo ?? Infinity, history.steps.length - 1), (id) => id === base)
  if (!steps.some(({ actions }) => actions.length > 0))
    throw new GodHandError('bad_request', `The trace ${taskId} has no actions to replay.`)
  return {
    task,
    steps,
    async frame(hash) {
      const png = await frames.get(hash)
      return png && decodePng(png)
    },
  }
}
