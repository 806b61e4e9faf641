import PQueue from 'p-queue'
import { judge } from '../agent/branch/judge.ts'
import { risksIn } from '../agent/leash/policy.ts'
import type { Planner } from '../agent/planner.ts'
import { captureState, type GuestState } from '../agent/verify/state-diff.ts'
import type { Branch, Branching, JudgeRules } from '../contract/branching.ts'
import { GodHandError } from '../contract/errors.ts'
import type { ActResult } from '../contract/task.ts'
import { type BranchAct, isTreeAct } from '../contract/tree-act.ts'
import { noUsage } from '../contract/usage.ts'
import { newId } from '../trace/ids.ts'
import { type Ended, runBranch } from './branch-run.ts'
import type { CheckpointBudget } from './checkpoints.ts'
import type { Drive } from './drive.ts'
import { helpFor } from './judge-help.ts'
import type { Line } from './line.ts'
import { policyOf } from './task-control.ts'

/** Machines that a task may still have beside its own. Taken for as long as a tournament lasts, so none waits for ever. */
export class Slots {
  #free: number

  constructor(free: number) {
    this.#free = free
  }

  take(wanted: number): number {
    const taken = Math.min(wanted, this.#free)
    this.#free -= taken
    return taken
  }

  give(count: number): void {
    this.#free += count
  }
}

export type Tournament = {
  drive: Drive
  line: Line
  act: BranchAct
  planner: Planner
  turnsBehind: number
  depth: number
  parentId: string | null
  slots: Slots
  budget: CheckpointBudget
  branching: Branching
  rules: JudgeRules
}

/** All ways at once on live copies, each to its end; the winner's machine becomes the line's, the others go. */
export async function hold(tournament: Tournament): Promise<ActResult> {
  const { act, branching, depth, slots } = tournament
  if (depth >= branching.depth) return refusal(`Branches may be ${branching.depth} deep, and this would be one deeper.`)
  if (act.options.length > branching.width)
    return refusal(`A branch may have ${branching.width} ways, not ${act.options.length}.`)
  const taken = slots.take(act.options.length)
  if (taken === 0)
    return refusal(`This task may have ${branching.machines} more machines at once, and has them already.`)
  try {
    return await play(tournament, taken)
  } finally {
    slots.give(taken)
  }
}

async function play(tournament: Tournament, atOnce: number): Promise<ActResult> {
  const { drive, line, rules } = tournament
  const { store, machines, control } = drive
  const baseline = await captureState(line.sandbox())
  const { id: fromSnapshot } = await line.keep(null)
  const original = line.machineId
  await machines.setPaused(original, true) // its memory is what all of them begin with; it need not run meanwhile
  const branches = plant(tournament, fromSnapshot)
  for (const branch of branches) tell(drive, branch)
  const ended = await runAll(tournament, branches, baseline, atOnce).catch(async (thrown: unknown) => {
    for (const { machineId } of store.branches
      .ofTask(drive.id)
      .filter((one) => branches.some(({ id }) => id === one.id)))
      if (machineId) await machines.destroy(machineId).catch(() => {})
    store.branches.interrupt(drive.id)
    for (const { id } of branches) tell(drive, store.branches.get(id))
    throw thrown
  })
  const { winner, reasons } = await judge(
    ended.map(({ branch }) => branch),
    rules,
    await helpFor(drive, rules),
  )
  const best = ended.find(({ branch }) => branch.option === winner)
  const denied = best ? await askForEffect(tournament, best.branch) : null
  if (denied && best) reasons.get(best.branch.option)?.push(denied)
  const won = denied ? undefined : best
  for (const { branch, machineId } of ended) {
    const left = machineId && branch !== won?.branch ? await dropLoser(tournament, branch, machineId) : {}
    const judged = { reasons: reasons.get(branch.option) ?? [], won: branch === won?.branch, ...left }
    tell(drive, store.branches.update(branch.id, judged))
  }
  control.signal.throwIfAborted()
  if (won?.machineId) {
    await machines.setPaused(won.machineId, false)
    await line.switchTo(won.machineId)
  } else await machines.setPaused(original, false)
  return resultOf(branches.map(({ id }) => store.branches.get(id)).filter((branch) => branch !== null))
}

/** What a branch did that wants leave is asked for now, by its effect: until here only a copy was touched. */
async function askForEffect({ drive, depth }: Tournament, winner: Branch): Promise<string | null> {
  const { store, control, request } = drive
  if (depth > 0 || !winner.diff) return null
  const family = new Set([winner.id])
  for (const { id, parentId, won } of store.branches.ofTask(drive.id))
    if (won && parentId && family.has(parentId)) family.add(id)
  const steps = store.steps.list(drive.id).filter(({ branchId }) => branchId !== undefined && family.has(branchId))
  const acts = steps.flatMap(({ actions }) => actions.map(({ act }) => act)).filter((act) => !isTreeAct(act))
  const risky = [...new Set(risksIn(acts, policyOf(request)).map(({ act }) => act))]
  if (risky.length === 0) return null
  const { diff, changes, frame } = winner
  const consequence = { diff, changes, before: steps[0]?.before ?? null, after: frame, outputs: [], egress: [] }
  const denied = await control.leash.mayAct(risky, control.signal, async () => consequence)
  return denied?.error?.message ?? null
}

function plant({ drive, act, planner, parentId }: Tournament, fromSnapshot: string): Branch[] {
  const decisionId = newId('choice')
  return act.options.map((option, index) => {
    const branch: Branch = {
      id: newId('branch'),
      taskId: drive.id,
      decisionId,
      parentId,
      option: index,
      plan: option.plan,
      planner: option.steps
        ? 'script'
        : option.planner
          ? `${option.planner.kind}:${option.planner.model ?? ''}`
          : planner.name,
      fromSnapshot,
      machineId: null,
      state: 'waiting',
      won: false,
      verdict: null,
      reasons: [],
      checks: [],
      changes: [],
      wanted: [],
      unwanted: [],
      diff: null,
      cost: { steps: 0, failures: 0, ms: 0, usage: noUsage },
      endSnapshot: null,
      files: [],
      frame: null,
      createdAt: new Date().toISOString(),
      endedAt: null,
    }
    drive.store.branches.insert(branch)
    return branch
  })
}

/** Those for which there is no room yet wait for another to end; when none is left to wait for, they are refused. */
async function runAll(
  tournament: Tournament,
  branches: Branch[],
  baseline: GuestState,
  atOnce: number,
): Promise<Ended[]> {
  const { drive } = tournament
  const saved = tournament.planner.save?.()
  const queue = new PQueue({ concurrency: atOnce })
  const door = new PQueue({ concurrency: 1 })
  const noRoom: Branch[] = []
  const ended: Ended[] = []
  const run = async (branch: Branch, last: boolean) => {
    const one = await runBranch({ tournament, branch, baseline, saved, door, refuse: last })
    if (one === 'no room') noRoom.push(branch)
    else {
      tell(drive, one.branch)
      ended.push(one)
    }
  }
  // All have ended before anything is thrown: a machine that is still being made must not be left behind.
  const runs = await Promise.allSettled(branches.map((branch) => queue.add(() => run(branch, false))))
  for (const each of runs) if (each.status === 'rejected') throw each.reason
  for (const branch of noRoom.splice(0)) {
    await restAll(tournament, ended)
    await run(branch, true)
  }
  return ended.sort((a, b) => a.branch.option - b.branch.option)
}

/** The machines of ways that have failed are of no more use. */
async function restAll(tournament: Tournament, ended: Ended[]): Promise<void> {
  for (const one of ended) {
    if (!one.machineId || one.branch.state === 'passed') continue
    const left = await dropLoser(tournament, one.branch, one.machineId)
    tournament.drive.store.branches.update(one.branch.id, left)
    one.machineId = null
  }
}

/** What is to stay of a loser is taken while its machine is still there. */
async function dropLoser(
  { drive, branching }: Tournament,
  branch: Branch,
  machineId: string,
): Promise<Partial<Pick<Branch, 'endSnapshot' | 'files'>>> {
  const { machines, branchFiles, log } = drive
  try {
    if (branching.losers === 'drop') return {}
    await machines.setPaused(machineId, false)
    if (branching.losers === 'files') return { files: await branchFiles.take(branch, machineId) }
    return { endSnapshot: (await machines.snapshot(machineId, branch.plan.slice(0, 200))).id }
  } catch (thrown) {
    log.warn({ machineId, err: GodHandError.from(thrown).toInfo() }, 'the machine of a branch could not be kept')
    return {}
  } finally {
    await machines.destroy(machineId).catch(() => {}) // it may have died by itself
  }
}

export function tell(drive: Pick<Drive, 'onBranch'>, branch: Branch | null): void {
  if (branch) drive.onBranch(branch)
}

/** What the ways met in the guest is the guest's word; who won is ours. */
function resultOf(branches: Branch[]): ActResult {
  const lines = branches.map(({ option, plan, state, verdict, reasons, changes, won }) => {
    const changed = changes.length > 0 ? ` Changed: ${changes.slice(0, 5).join('; ')}.` : ''
    return `${won ? 'WON' : 'lost'}, way ${option + 1} (${plan}): ${state}. ${verdict ?? ''} ${reasons.join(' ')}${changed}`
  })
  const text = lines.join('\n')
  const winner = branches.find(({ won }) => won)
  if (winner)
    return { ok: true, said: `Way ${winner.option + 1} won; the machine is now the one it was done on.`, text }
  return { ...refusal('None of the ways led there; the machine is as it was before.'), text }
}

function refusal(message: string): ActResult {
  return { ok: false, error: { code: 'conflict', message } }
}
