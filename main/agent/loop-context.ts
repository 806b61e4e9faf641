import type { Act } from '../contract/action.ts'
import type { CheckedAssertion } from '../contract/assertion.ts'
import type { Consequence } from '../contract/branching.ts'
import type { ErrorInfo } from '../contract/errors.ts'
import type { ActResult, Budget, Step } from '../contract/task.ts'
import type { TreeAct } from '../contract/tree-act.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { FrameRecord } from '../trace/frames.ts'
import type { GoodPoint, RecoveryWatch } from './branch/recovery.ts'
import type { FrameKeeper } from './frame-keeper.ts'
import type { Leash } from './leash.ts'
import type { LastTurn, Planner, Turn } from './planner.ts'
import type { Secrets } from './secrets.ts'
import type { Verifier } from './verify/verifier.ts'

/** What the loop is given, and what it gives back. */

export type LoopContext = {
  taskId: string
  goal: string
  planner: Planner
  /** The task's machine, which may be another one after a rollback or a branch. */
  sandbox: () => Sandbox
  frames: FrameKeeper
  verifier: Verifier
  budget: Budget
  /** Left out: the budget bounds the task, and nobody is asked. */
  leash?: Leash
  /** Where an earlier process left off: what came of its last turn, and how many turns are behind the machine. */
  begin?: { last: LastTurn | null; behind: number }
  /** The place of the next step in the trace, where others add steps too. */
  nextIndex?: () => number
  /** Known to the machine by value, to everyone else by name. */
  secrets?: Secrets
  /** The snapshot the machine stood on when the step began; null when none was taken yet. */
  currentSnapshot: () => string | null
  signal: AbortSignal
  /** `behind`: the turns that are behind the machine once the step is over. */
  onStep: (step: Step, frames: FrameRecord[], behind: number) => void
  onActivity: (phase: Phase, text: string) => void
  /** The screen the next turn is decided on. */
  onLook?: (frame: string) => void
  /** A turn is decided and not yet acted on: what the planner needs to go on elsewhere is to be kept now. */
  onDecided?: (planner: Planner) => void
  /** At the end of a step: keeps the machine as it is and gives the snapshot's id, or null when this is not the moment. */
  checkpoint?: (step: { verdict: Step['verdict']; acts: Act[] }) => Promise<string | null>
  /** They have leave and are about to be done on the machine itself. */
  beforeActs?: (acts: Act[]) => Promise<void>
  /** The machine as a whole: left out where it cannot be kept or branched. */
  tree?: Tree
  /** What every step of this line is marked with. */
  mark?: () => Pick<Step, 'branchId' | 'machineId'>
  /** Puts a question to the person. Without anybody to ask, the planner is told so. */
  askPerson?: (question: string, signal: AbortSignal, answers?: string[]) => Promise<string>
}

export type Actions = Step['actions']

/** What was done in a throwaway copy. One of the two is called once the person has decided. */
export type Trial = {
  consequence: Consequence
  actions: Actions
  /** The copy becomes the machine. False: it cannot, so the acts are to be done for real. */
  accept(): Promise<boolean>
  discard(): Promise<void>
}

export interface Tree {
  do(act: TreeAct, turn: Turn, behind: number): Promise<ActResult>
  /** Null where no copy can be made. */
  rehearse?(work: (copy: Sandbox) => Promise<Actions>): Promise<Trial | null>
  recovery?: RecoveryWatch
  /** Throws when the machine cannot be put back. */
  goBack(point: Pick<GoodPoint, 'snapshotId'>): Promise<void>
}

export type Phase = 'looking' | 'thinking' | 'acting' | 'settling' | 'verifying'

export type Outcome =
  | { kind: 'succeeded'; summary: string; checks: CheckedAssertion[] }
  | { kind: 'failed'; summary: string; checks: CheckedAssertion[]; error: ErrorInfo | null }
