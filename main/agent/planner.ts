import type { Act } from '../contract/action.ts'
import type { Assertion, CheckedAssertion } from '../contract/assertion.ts'
import type { ReplayedStep } from '../contract/replay.ts'
import type { ActResult, Settle } from '../contract/task.ts'
import type { Usage } from '../contract/usage.ts'
import type { RawFrame } from '../sandbox/sandbox.ts'

/** Who decides what is done next. Observation in, a turn out; adding one is one file and one test. */
export interface Planner {
  readonly name: string
  /** Calls take turns. Throwing ends the task with that error; wrong ideas belong into the turn, not into exceptions. */
  next(observation: Observation, signal: AbortSignal): Promise<Turn>
  /**
   * What another process needs to go on with the same conversation, as JSON without any picture in it. Taken when a turn
   * is decided, before it is acted on: what was under way at a crash is then known to be open.
   */
  save?(): unknown
}

export type Observation = {
  goal: string
  stepIndex: number // how many steps are behind us
  frame: RawFrame // the screen, now
  frameHash: string
  /** What came of the last turn; null at the start. */
  last: LastTurn | null
  /** What the person typed since the last turn. */
  guidance?: string[]
  /** What the loop itself has to say, for example that the planner goes in circles. */
  notes?: string[]
  /** The thought as it comes, piece by piece. */
  onThought?: (delta: string) => void
  /** What happens meanwhile: a busy service, a cut connection. What was thought so far may then come again. */
  onNotice?: (text: string) => void
}

export type LastTurn = {
  turn: Turn
  results: ActResult[] // of the acts that were tried, in order; the first failure is the last one tried
  settle: Settle | null
  checks: CheckedAssertion[] // of the expectations, or of a finish that was not accepted
  answer?: string // the person's, to a question
  change?: string // what is known of an expectation in words: whether and where the screen changed
}

/** What it took to decide, where that is known. */
type Toll = {
  usage?: Usage
  notices?: string[] // what went wrong on the way and was overcome
  compared?: ReplayedStep[] // of a replay: the recorded steps it has judged by now
}

export type Turn = Toll & Decision

type Decision =
  | {
      kind: 'act'
      thought: string
      acts: Act[]
      expect: Assertion[] // what should be true afterwards
      timeoutMs: number // how long it may take to become true
      unproven?: string[] // expected in words that no mechanism can check
    }
  /** Unverified success is not success: these checks are run, and one that fails goes back to the planner. */
  | { kind: 'finish'; thought: string; summary: string; checks: Assertion[]; timeoutMs: number }
  /** A question only the person can answer, by one of `answers` where it names some. With `permit` it asks for leave to do just that: yes or no. */
  | { kind: 'ask'; thought: string; question: string; answers?: string[]; permit?: Act[] }
  /** The person's own word that it is done: nobody but them may end a task without a check. */
  | { kind: 'declare'; thought: string; summary: string }
  | { kind: 'give_up'; thought: string; reason: string }
