import type { Assertion } from '../../../contract/assertion.ts'
import type { ReplayedStep } from '../../../contract/replay.ts'
import type { Task } from '../../../contract/task.ts'
import type { LastTurn, Turn } from '../../planner.ts'
import type { Recording } from './recording.ts'

/** How a replay ends when everything was done again: by the checks that decided then. */
export function finishOf(task: Task, checks: Assertion[]): Turn {
  if (task.state !== 'succeeded' || checks.length === 0)
    return {
      kind: 'give_up',
      thought: 'Everything the trace holds was done again.',
      reason:
        task.state === 'succeeded'
          ? 'The trace has no final check that could still be made, so success cannot be shown.'
          : `The recorded run itself ${task.state === 'failed' ? 'failed' : `was ${task.state}`}: ${task.verdict ?? task.error?.message ?? 'no reason is known'}`,
    }
  const thought = 'Everything was done again. Making the same checks as then.'
  return { kind: 'finish', thought, summary: task.verdict ?? task.goal, checks, timeoutMs: 20_000 }
}

/** At a step in the middle there is no verdict to compare with: the screen must be as it was, as far as it could be told. */
export function arrivalOf({ steps }: Recording, upTo: number, last: ReplayedStep | undefined): Turn {
  const frame = steps.findLast(({ after }) => after !== null)?.after
  if (!frame)
    return {
      kind: 'give_up',
      thought: 'The steps were done again.',
      reason: 'No picture was recorded that the screen could be compared with.',
    }
  const tolerance = Math.min(1, 0.05 + (last?.share ?? 0))
  return {
    kind: 'finish',
    thought: `The machine is where it was after step ${upTo + 1}. Comparing its screen.`,
    summary: `The machine is as it was after step ${upTo + 1} of the trace.`,
    checks: [{ check: 'region_equals', frame, tolerance }],
    timeoutMs: 20_000,
  }
}

export function refusalOf({ checks }: LastTurn): Turn {
  const failed = checks.find(({ verdict }) => !verdict.pass)
  const reason = `All steps were replayed, but at the end: ${failed?.verdict.summary ?? 'a check failed.'}`
  return { kind: 'give_up', thought: 'It did not come out as it did in the recording.', reason }
}
