import type PQueue from 'p-queue'
import { scriptOf } from '../agent/branch/options.ts'
import { unwantedIn, wantedIn } from '../agent/branch/rules.ts'
import { Meter } from '../agent/leash/budget.ts'
import { Policy } from '../agent/leash/policy.ts'
import { Leash } from '../agent/leash.ts'
import { runLoop } from '../agent/loop.ts'
import type { Outcome } from '../agent/loop-context.ts'
import type { LastTurn, Planner } from '../agent/planner.ts'
import { ScriptPlanner } from '../agent/planners/script.ts'
import { captureState, diffStates, type GuestState } from '../agent/verify/state-diff.ts'
import type { CheckedAssertion } from '../contract/assertion.ts'
import type { Branch, BranchState } from '../contract/branching.ts'
import { describeDiff } from '../contract/describe-diff.ts'
import { GodHandError } from '../contract/errors.ts'
import type { Step } from '../contract/task.ts'
import type { BranchOption } from '../contract/tree-act.ts'
import { addUsage } from '../contract/usage.ts'
import { NoiseMap } from '../screen/noise.ts'
import { loopOn, verifierFor } from './drive.ts'
import { Line } from './line.ts'
import { policyOf } from './task-control.ts'
import { type Tournament, tell } from './tournament.ts'

export type Ended = { branch: Branch; machineId: string | null }

type BranchRun = {
  tournament: Tournament
  branch: Branch
  baseline: GuestState
  saved: unknown
  /** Machines are started one after the other: whether there is room for one is seen once the last is there. */
  door: PQueue
  /** No other branch will make room any more. */
  refuse: boolean
}

/** How long a branch whose time is up may take to notice, before its machine is taken away. */
const GRACE_MS = 5000
const TICK_MS = 250
const CHECK_MS = 10_000

/** One way, on a copy of its own, to its end and its evidence. Only the end of the task itself is thrown. */
export async function runBranch(run: BranchRun): Promise<Ended | 'no room'> {
  const { tournament, branch } = run
  const { drive, act, line } = tournament
  const { store, machines } = drive
  const began = performance.now()
  const timeUp = new AbortController()
  const signal = AbortSignal.any([drive.control.signal, timeUp.signal])
  let machineId: string
  try {
    machineId = await run.door.add(async () => {
      const machine = await line.spawn(branch.fromSnapshot, branch.plan, drive.control.signal)
      return machine.id
    })
  } catch (thrown) {
    drive.control.signal.throwIfAborted()
    const error = GodHandError.from(thrown)
    if (error.code === 'capacity' && !run.refuse) return 'no room'
    const state = error.code === 'capacity' ? 'refused' : 'failed'
    return { branch: end(run, { state, verdict: error.message }), machineId: null }
  }
  tell(drive, store.branches.update(branch.id, { state: 'running', machineId }))
  const own = new Line(machineId, {
    machines,
    store,
    taskId: drive.id,
    image: drive.request.image,
    allow: drive.request.allow,
    name: branch.plan,
    signal,
    onSwitch: (id) => tell(drive, store.branches.update(branch.id, { machineId: id })),
  })
  const seconds = act.limits.maxSeconds
  let leftMs = seconds * 1000
  let ticked = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    if (!drive.control.leash.paused) leftMs -= now - ticked // its time stands still with the task's
    ticked = now
    if (leftMs <= 0) timeUp.abort(new GodHandError('timeout', `It was not done after ${seconds} seconds.`))
  }, TICK_MS)
  let { cost, frame } = branch
  const onStep = (step: Step) => {
    cost = {
      ...cost,
      steps: cost.steps + 1,
      failures: cost.failures + (step.verdict === 'fail' ? 1 : 0),
      usage: step.usage ? addUsage(cost.usage, step.usage) : cost.usage,
    }
    frame = step.after
    drive.control.leash.meter.step(step.usage)
    const over = drive.control.leash.meter.over()
    if (over) timeUp.abort(new GodHandError('timeout', over))
  }
  try {
    const outcome = await orGone(timeUp.signal, drive.control.signal, () => loop(run, own, signal, onStep))
    const common = outcome.kind === 'succeeded' ? await checkAll(run, own, signal) : []
    const after = await captureState(own.sandbox())
    const diff = diffStates(run.baseline, after)
    const failed = common.find(({ verdict }) => !verdict.pass)
    const state: BranchState = outcome.kind === 'succeeded' && !failed ? 'passed' : 'failed'
    const evidence = {
      state,
      verdict: failed ? failed.verdict.summary : outcome.summary,
      checks: [...outcome.checks, ...common],
      diff,
      changes: describeDiff(diff),
      wanted: wantedIn(diff, tournament.rules),
      unwanted: unwantedIn(diff, tournament.rules),
      frame,
      cost: { ...cost, ms: Math.round(performance.now() - began) },
    }
    await machines.setPaused(own.machineId, true) // what has ended leaves the processor to the others
    return { branch: end(run, evidence), machineId: own.machineId }
  } catch (thrown) {
    drive.control.signal.throwIfAborted()
    const error = GodHandError.from(timeUp.signal.aborted ? timeUp.signal.reason : thrown)
    await machines.destroy(own.machineId).catch(() => {}) // what hangs cannot be asked any more
    const ms = Math.round(performance.now() - began)
    const state = timeUp.signal.aborted ? 'timed_out' : 'failed'
    return { branch: end(run, { state, verdict: error.message, frame, cost: { ...cost, ms } }), machineId: null }
  } finally {
    clearInterval(timer)
  }
}

function end({ tournament, branch }: BranchRun, changes: Partial<Branch>): Branch {
  return tournament.drive.store.branches.update(branch.id, { ...changes, endedAt: new Date().toISOString() })
}

async function loop(run: BranchRun, line: Line, signal: AbortSignal, onStep: (step: Step) => void): Promise<Outcome> {
  const { tournament, branch } = run
  const { drive, act, turnsBehind, depth, slots, budget } = tournament
  const option = act.options[branch.option]
  if (!option) throw new GodHandError('internal', 'A branch without its option.')
  const planner = await plannerOf(run, option)
  const forked = option.steps === undefined && option.planner === undefined
  const { maxSteps, maxSeconds } = act.limits
  const leash = new Leash({
    meter: new Meter({ maxSteps, maxMinutes: maxSeconds / 60 }),
    policy: policyInside(drive.request),
    above: drive.control.leash,
  })
  return runLoop(
    loopOn(drive, {
      line,
      planner,
      leash,
      signal,
      goal: forked || option.steps ? drive.request.goal : `${drive.request.goal}\n\n${assignment(run)}`,
      begin: forked ? { last: told(run), behind: turnsBehind } : { last: null, behind: 0 },
      branchId: branch.id,
      depth: depth + 1,
      slots,
      budget,
      onStep,
    }),
  )
}

/** A copy of the planner, with the same conversation word for word; another model; or the option's own steps. */
async function plannerOf({ tournament, saved }: BranchRun, option: BranchOption): Promise<Planner> {
  const { drive, act } = tournament
  if (option.steps) return new ScriptPlanner(scriptOf(option, act))
  if (option.planner) return drive.planFor({ ...drive.request, planner: option.planner })
  if (saved === undefined)
    throw new GodHandError('bad_request', 'This planner cannot be copied, so each way needs steps of its own.')
  return drive.planFor(drive.request, saved)
}

/** The copy learns where it is as the answer to its own call: all that was said before stays as it was. */
function told(run: BranchRun): LastTurn {
  const turn = { kind: 'act' as const, thought: '', acts: [run.tournament.act], expect: [], timeoutMs: 0 }
  return { turn, results: [{ ok: true, said: assignment(run) }], settle: null, checks: [] }
}

function assignment({ tournament, branch }: BranchRun): string {
  const count = tournament.act.options.length
  return `You are in branch ${branch.option + 1} of ${count}, on a copy of the machine of your own. Follow this plan and no other: ${branch.plan}\nWhen it has led there, call finish with checks that prove it. When it does not work, call give_up. Either ends this branch only.`
}

/** Where nothing can leave the machine, a branch is itself the trial; where something can, nobody is there to ask. */
function policyInside(request: Tournament['drive']['request']): Policy {
  return request.allow.length === 0 ? Policy.parse({ mode: 'never' }) : policyOf(request)
}

async function checkAll({ tournament }: BranchRun, line: Line, signal: AbortSignal): Promise<CheckedAssertion[]> {
  const verifier = verifierFor(tournament.drive, line, signal)
  const before = await line.sandbox().capture()
  const checks: CheckedAssertion[] = []
  for (const assertion of tournament.act.checks) {
    const about = { before, noise: new NoiseMap(), timeoutMs: CHECK_MS }
    checks.push({ assertion, verdict: await verifier.check(assertion, about) })
  }
  return checks
}

/** Waits for the work, but no longer than a little after its time is up. */
async function orGone<T>(timeUp: AbortSignal, stop: AbortSignal, work: () => Promise<T>): Promise<T> {
  const gone = Promise.withResolvers<never>()
  gone.promise.catch(() => {})
  const onAbort = () => setTimeout(() => gone.reject(GodHandError.from(timeUp.reason ?? stop.reason)), GRACE_MS).unref()
  const either = AbortSignal.any([timeUp, stop])
  either.addEventListener('abort', onAbort, { once: true })
  const working = work()
  working.catch(() => {})
  try {
    return await Promise.race([working, gone.promise])
  } finally {
    either.removeEventListener('abort', onAbort)
  }
}
