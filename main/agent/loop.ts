import { type Act, describeAct } from '../contract/action.ts'
import type { Assertion, CheckedAssertion } from '../contract/assertion.ts'
import type { Consequence } from '../contract/branching.ts'
import { type ErrorInfo, GodHandError } from '../contract/errors.ts'
import type { ActResult, Budget, Step } from '../contract/task.ts'
import { isTreeAct, type TreeAct } from '../contract/tree-act.ts'
import type { RawFrame, Sandbox } from '../sandbox/sandbox.ts'
import { NoiseMap } from '../screen/noise.ts'
import { settle } from '../screen/settle.ts'
import type { FrameRecord } from '../trace/frames.ts'
import type { GoodPoint, RecoveryWatch } from './branch/recovery.ts'
import type { FrameKeeper } from './frame-keeper.ts'
import { type Limits, Meter } from './leash/budget.ts'
import { Policy } from './leash/policy.ts'
import { Leash } from './leash.ts'
import { perform } from './perform.ts'
import type { LastTurn, Observation, Planner, Turn } from './planner.ts'
import { Secrets } from './secrets.ts'
import { describeChange, unprovenNotice } from './verify/in-words.ts'
import type { Verifier } from './verify/verifier.ts'

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

/** Perceive → plan → act → verify, until the planner's finish holds, it gives up, or the leash is at its end. */
export async function runLoop(context: LoopContext): Promise<Outcome> {
  const leash = context.leash ?? unattended(context.budget)
  const noise = new NoiseMap()
  let last: LastTurn | null = context.begin?.last ?? null
  let behind = context.begin?.behind ?? 0
  const stood = new Map<string, { behind: number; last: LastTurn | null }>() // at each snapshot
  /** What has no memory of its own begins again where it stood; what has one goes on, and is told. */
  const stepBack = (place: { behind: number; last: LastTurn | null } | undefined, note: string) => {
    leash.note(note)
    if (context.planner.save || !place) return
    behind = place.behind
    last = place.last
  }
  for (;;) {
    const head = context.currentSnapshot()
    if (head !== null && !stood.has(head)) stood.set(head, { behind, last })
    const stop = await leash.before(context.signal, async ({ snapshotId, name }) => {
      await context.tree?.goBack({ snapshotId })
      const place = stood.get(snapshotId)
      context.tree?.recovery?.remember({ snapshotId, behind, last, ...place })
      stepBack(place, `The person put the machine back to “${name}”. What was done since is undone.`)
    })
    if (stop) return { kind: 'failed', summary: stop, checks: [], error: null }
    const { turn, checks, results, settled, answer, change, step }: StepOutcome = await runStep(
      context,
      leash,
      behind,
      last,
      noise,
    )
    if (turn.kind === 'give_up')
      return { kind: 'failed', summary: turn.reason, checks: last?.checks ?? [], error: null }
    if (turn.kind === 'declare') return { kind: 'succeeded', summary: turn.summary, checks: [] }
    if (turn.kind === 'finish' && checks.every(({ verdict }) => verdict.pass))
      return { kind: 'succeeded', summary: turn.summary, checks }
    last = {
      turn,
      results,
      settle: settled,
      checks,
      ...(answer === undefined ? {} : { answer }),
      ...(change ? { change } : {}),
    }
    if (step.verdict !== 'fail' && step.snapshotAfter !== null)
      context.tree?.recovery?.remember({ snapshotId: step.snapshotAfter, behind: behind + 1, last })
    const wrong = context.tree?.recovery?.see(step)
    behind++
    if (!wrong) continue
    context.onActivity('acting', 'Going back to where it was last right')
    await context.tree?.goBack(wrong.point)
    stepBack(wrong.point, wrong.note)
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
  change: string
  step: Step
}

async function runStep(
  context: LoopContext,
  leash: Leash,
  behind: number,
  last: LastTurn | null,
  noise: NoiseMap,
): Promise<StepOutcome> {
  const { frames, signal, secrets = new Secrets() } = context
  const startedAt = new Date().toISOString()
  const clock = stopwatch()

  context.onActivity('looking', 'Looking at the screen')
  const before = await context.sandbox().capture()
  const beforeHash = await frames.keep(before)
  context.onLook?.(beforeHash)
  context.onActivity('thinking', 'Thinking')
  let thinking = ''
  const notices: string[] = []
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
    onNotice: (text) => {
      notices.push(text)
      context.onActivity('thinking', text)
    },
  }
  /** A step in which nobody could say what to do. */
  const undecided = ({ message }: GodHandError): Step => {
    const planMs = clock()
    return {
      taskId: context.taskId,
      index: context.nextIndex?.() ?? behind,
      thought: secrets.redact(`${thinking}\n[${message}]`.trim()),
      actions: [],
      before: beforeHash,
      after: beforeHash,
      settle: null,
      checks: [],
      verdict: 'fail',
      snapshotBefore: context.currentSnapshot(),
      snapshotAfter: null,
      startedAt,
      timing: { planMs, actMs: 0, settleMs: 0, verifyMs: 0, totalMs: planMs },
      ...context.mark?.(),
      ...(notices.length > 0 ? { notices } : {}),
    }
  }
  // A model that reads a secret off the screen may say it aloud.
  const turn = secrets.redactDeep(
    await context.planner.next(observation, signal).catch((thrown: unknown) => {
      signal.throwIfAborted()
      const error = GodHandError.from(thrown)
      context.onStep(undecided(error), frames.takeFresh(), behind)
      throw error
    }),
  )
  signal.throwIfAborted()
  context.onDecided?.(context.planner)
  const planMs = clock()

  const answer = turn.kind === 'ask' ? await context.askPerson?.(turn.question, signal, turn.answers) : undefined
  const acts = turn.kind === 'act' ? turn.acts : []
  const { actions, denied, snapshotBefore } = await doActs(context, leash, { turn, acts, behind, before, noise })
  const actMs = clock()

  const acted = acts.length > 0 && !denied
  if (acted) context.onActivity('settling', 'Waiting for the screen to come to rest')
  const rest: Awaited<ReturnType<typeof settle>> | null = acted
    ? await settle(context.sandbox(), before, { noise, signal })
    : null
  const settleMs = clock()

  const checks = denied ? [] : await verify(context, turn, before, noise)
  const after = checks.length > 0 ? await context.sandbox().capture() : (rest?.frame ?? before)
  const afterHash = await frames.keep(after)
  const verifyMs = clock()

  const settled = rest && { changed: rest.changed, settled: rest.settled, tookMs: rest.tookMs, boxes: rest.boxes }
  const failed = actions.some(({ result }) => !result.ok) || checks.some(({ verdict }) => !verdict.pass)
  leash.after({ acts, screen: afterHash, usage: turn.usage })
  const unproven = turn.kind === 'act' && !denied ? (turn.unproven ?? []) : []
  const change = unproven.length > 0 ? describeChange(settled, before) : ''
  const told = [...(turn.notices ?? []), ...unproven.map((words) => unprovenNotice(words, change))]
  const verified = checks.length > 0 && unproven.length === 0
  const verdict = failed || turn.kind === 'give_up' ? 'fail' : verified ? 'pass' : 'unchecked'
  const snapshotAfter = (await context.checkpoint?.({ verdict, acts })) ?? null
  const step: Step = {
    taskId: context.taskId,
    index: context.nextIndex?.() ?? behind,
    thought: turn.kind === 'give_up' ? `${turn.thought} ${turn.reason}` : turn.thought,
    actions,
    before: beforeHash,
    after: afterHash,
    settle: settled,
    checks,
    verdict,
    snapshotBefore,
    snapshotAfter,
    startedAt,
    timing: { planMs, actMs, settleMs, verifyMs, totalMs: planMs + actMs + settleMs + verifyMs },
    ...context.mark?.(),
    ...(turn.usage ? { usage: turn.usage } : {}),
    ...(told.length > 0 ? { notices: told } : {}),
    ...(turn.compared ? { compared: turn.compared } : {}),
    ...(turn.kind === 'ask' ? { dialogue: { question: turn.question, answer: answer ?? null } } : {}),
  }
  context.onStep(step, frames.takeFresh(), behind + 1)
  return { turn, results: actions.map(({ result }) => result), checks, settled, answer, change, step }
}

/** `snapshotBefore`: what the machine stood on when the first act was done. */
type Done = { actions: Actions; denied: boolean; snapshotBefore: string | null }
type Wish = { turn: Turn; acts: Act[]; behind: number; before: RawFrame; noise: NoiseMap }

/** The acts of a turn, with leave. What was tried out in a copy and allowed is not done a second time. */
async function doActs(context: LoopContext, leash: Leash, wish: Wish): Promise<Done> {
  const { frames, signal, secrets = new Secrets(), tree, planner } = context
  const { turn, acts, behind, before, noise } = wish
  const doAll = async (sandbox: () => Sandbox) => {
    const actions: Actions = []
    for (const act of acts) {
      if (leash.paused) context.onActivity('acting', `Paused before: ${describeAct(act)}`)
      const obsolete = await leash.beforeAct(signal, !planner.save)
      if (obsolete) {
        actions.push({ act, result: obsolete })
        break
      }
      context.onActivity('acting', describeAct(act))
      const doOne = () => perform(sandbox(), secrets.resolve(act), frames, signal)
      const result =
        isTreeAct(act) && tree
          ? await tree.do(act, turn, behind)
          : await (usesHands(act) ? leash.moving(doOne) : doOne())
      actions.push({ act, result: secrets.redactResult(result) })
      if (!result.ok) break
      signal.throwIfAborted()
    }
    return actions
  }
  let trial: Trial | null = null
  const rehearse = async () => {
    if (acts.some(isTreeAct) || !tree?.rehearse) return null
    context.onActivity('acting', 'Trying it out in a copy of the machine')
    trial = await tree.rehearse(async (copy) => {
      const actions = await doAll(() => copy)
      await settle(copy, before, { noise, signal })
      return actions
    })
    return trial?.consequence ?? null
  }
  let denied: ActResult | null
  try {
    denied = await leash.mayAct(acts, signal, rehearse)
  } catch (thrown) {
    await discard(trial)
    throw thrown
  }
  if (denied) await discard(trial)
  const [first] = acts
  if (denied)
    return {
      actions: first ? [{ act: first, result: denied }] : [],
      denied: true,
      snapshotBefore: context.currentSnapshot(),
    }
  const done = await accepted(trial)
  if (!trial) await context.beforeActs?.(acts)
  const snapshotBefore = context.currentSnapshot()
  return { actions: done ?? (await doAll(context.sandbox)), denied: false, snapshotBefore }
}

/** Acts that move the pointer or press keys in the guest. */
const handActs = new Set(['move', 'click', 'drag', 'mouse_down', 'mouse_up', 'scroll', 'type', 'key', 'hold'])
const usesHands = ({ type }: Act) => handActs.has(type)

const discard = async (trial: Trial | null) => trial?.discard()
const accepted = async (trial: Trial | null) => (trial && (await trial.accept()) ? trial.actions : null)

/** All expectations are checked even after one has failed: the evidence is what the next turn is decided on. */
async function verify(
  context: LoopContext,
  turn: Turn,
  before: RawFrame,
  noise: NoiseMap,
): Promise<CheckedAssertion[]> {
  if (turn.kind !== 'act' && turn.kind !== 'finish') return []
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
