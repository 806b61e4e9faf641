import { describeAct } from '../contract/action.ts'
import type { Assertion, CheckedAssertion } from '../contract/assertion.ts'
import { type ErrorInfo, GodHandError } from '../contract/errors.ts'
import type { Budget, Step } from '../contract/task.ts'
import type { RawFrame, Sandbox } from '../sandbox/sandbox.ts'
import { NoiseMap } from '../screen/noise.ts'
import { settle } from '../screen/settle.ts'
import type { FrameRecord } from '../trace/frames.ts'
import type { FrameKeeper } from './frame-keeper.ts'
import { type Limits, Meter } from './leash/budget.ts'
import { Policy } from './leash/policy.ts'
import { Leash } from './leash.ts'
import { perform } from './perform.ts'
import type { LastTurn, Observation, Planner, Turn } from './planner.ts'
import { Secrets } from './secrets.ts'
import type { Verifier } from './verify/verifier.ts'

export type LoopContext = {
  taskId: string
  goal: string
  planner: Planner
  sandbox: Sandbox
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
  onStep: (step: Step, frames: FrameRecord[]) => void
  onActivity: (phase: Phase, text: string) => void
  /** The screen the next turn is decided on. */
  onLook?: (frame: string) => void
  /** A turn is decided and not yet acted on: what the planner needs to go on elsewhere is to be kept now. */
  onDecided?: (planner: Planner) => void
  /** At the end of a step: keeps the machine as it is and gives the snapshot's id, or null when this is not the moment. */
  checkpoint?: () => Promise<string | null>
  /** Puts a question to the person. Without anybody to ask, the planner is told so. */
  askPerson?: (question: string, signal: AbortSignal) => Promise<string>
}

export type Phase = 'looking' | 'thinking' | 'acting' | 'settling' | 'verifying'

export type Outcome =
  | { kind: 'succeeded'; summary: string; checks: CheckedAssertion[] }
  | { kind: 'failed'; summary: string; checks: CheckedAssertion[]; error: ErrorInfo | null }

/** Perceive → plan → act → verify, until the planner's finish holds, it gives up, or the leash is at its end. */
export async function runLoop(context: LoopContext): Promise<Outcome> {
  const leash = context.leash ?? unattended(context.budget)
  const noise = new NoiseMap()
  let last: LastTurn | null = context.begin?.last ?? null
  for (let behind = context.begin?.behind ?? 0; ; behind++) {
    const stop = await leash.before(context.signal)
    if (stop) return { kind: 'failed', summary: stop, checks: [], error: null }
    const { turn, checks, results, settled, answer }: StepOutcome = await runStep(context, leash, behind, last, noise)
    if (turn.kind === 'give_up')
      return { kind: 'failed', summary: turn.reason, checks: last?.checks ?? [], error: null }
    if (turn.kind === 'finish' && checks.every(({ verdict }) => verdict.pass))
      return { kind: 'succeeded', summary: turn.summary, checks }
    last = { turn, results, settle: settled, checks, ...(answer === undefined ? {} : { answer }) }
  }
}

function unattended(budget: Budget): Leash {
  return new Leash({ meter: new Meter(limitsOf(budget)), policy: Policy.parse({ mode: 'never' }) })
}

export function limitsOf({ maxSteps, maxMinutes, maxTokens, maxUsd }: Budget): Limits {
  return {
    maxSteps,
    maxMinutes,
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(maxUsd === undefined ? {} : { maxUsd }),
  }
}

type StepOutcome = {
  turn: Turn
  results: LastTurn['results']
  checks: CheckedAssertion[]
  settled: LastTurn['settle']
  answer: string | undefined
}

async function runStep(
  context: LoopContext,
  leash: Leash,
  behind: number,
  last: LastTurn | null,
  noise: NoiseMap,
): Promise<StepOutcome> {
  const { sandbox, frames, signal, secrets = new Secrets() } = context
  const startedAt = new Date().toISOString()
  const clock = stopwatch()
  const snapshotBefore = context.currentSnapshot()

  context.onActivity('looking', 'Looking at the screen')
  const before = await sandbox.capture()
  const beforeHash = await frames.keep(before)
  context.onLook?.(beforeHash)
  context.onActivity('thinking', 'Thinking')
  let thinking = ''
  const observation: Observation = {
    goal: context.goal,
    stepIndex: behind,
    frame: before,
    frameHash: beforeHash,
    last,
    ...leash.takeWords(),
    onThought: (delta) => {
      thinking += delta
      context.onActivity('thinking', thinking.slice(-500))
    },
    onNotice: (text) => context.onActivity('thinking', text),
  }
  // A model that reads a secret off the screen may say it aloud.
  const turn = secrets.redactDeep(await context.planner.next(observation, signal))
  signal.throwIfAborted()
  context.onDecided?.(context.planner)
  const planMs = clock()

  const answer = turn.kind === 'ask' ? await context.askPerson?.(turn.question, signal) : undefined
  const acts = turn.kind === 'act' ? turn.acts : []
  const denied = await leash.mayAct(acts, signal)
  const actions: Step['actions'] = acts
    .slice(0, denied ? 1 : 0)
    .flatMap((act) => (denied ? { act, result: denied } : []))
  for (const act of denied ? [] : acts) {
    context.onActivity('acting', describeAct(act))
    const result = secrets.redactResult(await perform(sandbox, secrets.resolve(act), frames, signal))
    actions.push({ act, result })
    if (!result.ok) break
    signal.throwIfAborted()
  }
  const actMs = clock()

  const acted = acts.length > 0 && !denied
  if (acted) context.onActivity('settling', 'Waiting for the screen to come to rest')
  const rest: Awaited<ReturnType<typeof settle>> | null = acted
    ? await settle(sandbox, before, { noise, signal })
    : null
  const settleMs = clock()

  const checks = denied ? [] : await verify(context, turn, before, noise)
  const after = checks.length > 0 ? await sandbox.capture() : (rest?.frame ?? before)
  const afterHash = await frames.keep(after)
  const verifyMs = clock()

  const settled = rest && { changed: rest.changed, settled: rest.settled, tookMs: rest.tookMs, boxes: rest.boxes }
  const failed = actions.some(({ result }) => !result.ok) || checks.some(({ verdict }) => !verdict.pass)
  leash.after({ acts, screen: afterHash, usage: turn.usage })
  const snapshotAfter = (await context.checkpoint?.()) ?? null
  const step: Step = {
    taskId: context.taskId,
    index: context.nextIndex?.() ?? behind,
    thought: turn.kind === 'give_up' ? `${turn.thought} ${turn.reason}` : turn.thought,
    actions,
    before: beforeHash,
    after: afterHash,
    settle: settled,
    checks,
    verdict: failed || turn.kind === 'give_up' ? 'fail' : checks.length > 0 ? 'pass' : 'unchecked',
    snapshotBefore,
    snapshotAfter,
    startedAt,
    timing: { planMs, actMs, settleMs, verifyMs, totalMs: planMs + actMs + settleMs + verifyMs },
    ...(turn.usage ? { usage: turn.usage } : {}),
    ...(turn.notices ? { notices: turn.notices } : {}),
    ...(turn.kind === 'ask' ? { dialogue: { question: turn.question, answer: answer ?? null } } : {}),
  }
  context.onStep(step, frames.takeFresh())
  return { turn, results: actions.map(({ result }) => result), checks, settled, answer }
}

/** All expectations are checked even after one has failed: the evidence is what the next turn is decided on. */
async function verify(
  context: LoopContext,
  turn: Turn,
  before: RawFrame,
  noise: NoiseMap,
): Promise<CheckedAssertion[]> {
  if (turn.kind === 'give_up' || turn.kind === 'ask') return []
  const assertions: Assertion[] = turn.kind === 'act' ? turn.expect : turn.checks
  if (turn.kind === 'finish' && assertions.length === 0)
    throw new GodHandError('bad_request', 'A finish without a check is not accepted.')
  const checks: CheckedAssertion[] = []
  for (const assertion of assertions) {
    context.onActivity('verifying', 'Checking what came of it')
    const { secrets = new Secrets() } = context
    const verdict = await context.verifier.check(secrets.resolveAssertion(assertion), {
      before,
      noise,
      timeoutMs: turn.timeoutMs,
    })
    checks.push({ assertion, verdict: secrets.redactDeep(verdict) })
    context.signal.throwIfAborted()
  }
  return checks
}

/** Each call gives the milliseconds since the one before. */
function stopwatch(): () => number {
  let last = performance.now()
  return () => {
    const now = performance.now()
    const elapsed = Math.round((now - last) * 10) / 10
    last = now
    return elapsed
  }
}
