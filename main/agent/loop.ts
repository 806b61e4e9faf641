import type { Assertion, CheckedAssertion } from '../contract/assertion.ts'
import { GodHandError } from '../contract/errors.ts'
import type { Budget, Step } from '../contract/task.ts'
import type { RawFrame } from '../sandbox/sandbox.ts'
import { NoiseMap } from '../screen/noise.ts'
import { settle } from '../screen/settle.ts'
import { doActs } from './do-acts.ts'
import { type Limits, Meter } from './leash/budget.ts'
import { Policy } from './leash/policy.ts'
import { Leash } from './leash.ts'
import type { LoopContext, Outcome } from './loop-context.ts'
import type { LastTurn, Observation, Turn } from './planner.ts'
import { Secrets } from './secrets.ts'
import { describeChange, unprovenNotice } from './verify/in-words.ts'

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
