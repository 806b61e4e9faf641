import { z } from 'zod'
import type { LastTurn } from '../agent/planner.ts'
import { describeAct } from '../contract/action.ts'
import type { RunTask, Step } from '../contract/task.ts'
import type { Conversation } from '../trace/conversations.ts'
import { isModel } from './task-control.ts'

/** From where a task that was interrupted goes on. */
export type ResumePoint = {
  fromSnapshot: string | null // null: a fresh machine
  last: LastTurn | null
  behind: number // turns that are behind the machine
  note: string | null // what the planner must know about it
}

/** All that what has no memory of its own must know: the newest machine that was kept, and which turn comes next on it. */
const ScriptPlace = z.object({ snapshotId: z.string(), behind: z.number().int() })
type ScriptPlace = z.infer<typeof ScriptPlace>

export function scriptPlaceOf({ fromSnapshot, behind }: ResumePoint): ScriptPlace | null {
  return fromSnapshot === null || behind === 0 ? null : { snapshotId: fromSnapshot, behind }
}

const MOST_NAMED = 30

/**
 * The newest machine that was kept, and the whole conversation. Only when both end with the same step does the work go on as
 * if nothing had happened; otherwise the planner is told what has been undone. A script needs no telling: it plays on from
 * where the machine stands, or from its beginning.
 */
export function resumePoint(request: RunTask, steps: Step[], conversation: Conversation | null): ResumePoint {
  const beginning = request.fromSnapshot ?? null
  if (!isModel(request.planner) || !conversation) {
    const place = ScriptPlace.safeParse(conversation?.state).data
    const from = { fromSnapshot: place?.snapshotId ?? beginning, behind: place?.behind ?? 0 }
    return { ...from, last: null, note: null }
  }
  const own = steps.filter(({ branchId }) => branchId === undefined)
  const last = own.at(-1)
  const fromSnapshot = last?.snapshotAfter ?? last?.snapshotBefore ?? beginning
  // The newest snapshot may be of a time that was rolled back since; what the last step stood on never is.
  const firm = own.findLastIndex((one) => one.snapshotAfter !== null || one.snapshotBefore !== fromSnapshot)
  const undone = own.slice(firm + 1)
  const point = { fromSnapshot, behind: steps.length }
  const exact = last && last.by === undefined && undone.length === 0 && !conversation.open
  return exact
    ? { ...point, last: lastOf(last), note: null }
    : { ...point, last: null, note: noteOn(own[firm], undone) }
}

function lastOf({ thought, actions, settle, checks, dialogue }: Step): LastTurn {
  return {
    turn: { kind: 'act', thought, acts: actions.map(({ act }) => act), expect: [], timeoutMs: 0 },
    results: actions.map(({ result }) => result),
    settle,
    checks,
    ...(dialogue?.answer ? { answer: dialogue.answer } : {}),
  }
}

function noteOn(kept: Step | undefined, undone: Step[]): string {
  const state = kept ? `as it was after step ${kept.index + 1} of the trace` : 'fresh, as it was at the very start'
  const acts = undone.flatMap(({ actions }) => actions.map(({ act }) => describeAct(act)))
  const named = acts.length > MOST_NAMED ? ['…', ...acts.slice(-MOST_NAMED)] : acts
  const list =
    named.length > 0 ? ` This is undone and has to be done again if it still matters: ${named.join('; ')}.` : ''
  return `GodHand was restarted, and the machine is now ${state}.${list} What your very last calls did is undone too. Look before going on.`
}
