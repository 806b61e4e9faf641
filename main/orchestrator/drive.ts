import type { Adviser } from '../agent/adviser.ts'
import { RecoveryWatch } from '../agent/branch/recovery.ts'
import { FrameKeeper } from '../agent/frame-keeper.ts'
import type { Leash } from '../agent/leash.ts'
import { runLoop } from '../agent/loop.ts'
import type { LoopContext, Outcome, Phase } from '../agent/loop-context.ts'
import type { Planner } from '../agent/planner.ts'
import type { Secrets } from '../agent/secrets.ts'
import { openVerifier, type Verifier } from '../agent/verify/verifier.ts'
import { type Branch, Checkpoints, Recovery } from '../contract/branching.ts'
import type { ModelChoice } from '../contract/model.ts'
import type { RunTask, Step } from '../contract/task.ts'
import type { Log } from '../log.ts'
import { readText } from '../screen/text/read-text.ts'
import type { FrameStore } from '../trace/frame-store.ts'
import type { Store } from '../trace/store.ts'
import type { BranchFiles } from './branch-files.ts'
import { AutomaticCheckpoints, CheckpointBudget } from './checkpoints.ts'
import { Line } from './line.ts'
import type { Machines } from './machines.ts'
import { type ResumePoint, scriptPlaceOf } from './resume-point.ts'
import { isModel, type TaskControl } from './task-control.ts'
import { Slots } from './tournament.ts'
import { treeOn } from './tree.ts'

export type Drive = {
  id: string
  request: RunTask
  planner: Planner
  control: TaskControl
  point: ResumePoint
  machineId: string
  store: Store
  frames: FrameStore
  machines: Machines
  log: Log
  secrets: Secrets
  planFor: (request: RunTask, saved?: unknown) => Promise<Planner>
  adviserFor: (choice: ModelChoice) => Promise<Adviser>
  branchFiles: BranchFiles
  /** It is in the trace already. */
  onStep: (step: Step) => void
  onActivity: (phase: Phase, text: string, branchId?: string) => void
  onBranch: (branch: Branch) => void
  /** The task goes on with another machine. */
  onSwitch: (machineId: string) => void
}

/** The loop on a machine, with everything kept that another engine needs to go on. */
export function drive(task: Drive): Promise<Outcome> {
  const { request, planner, control, point, machines, store } = task
  const { leash, signal } = control
  if (!leash.paused) leash.meter.startClock()
  const line = new Line(task.machineId, {
    machines,
    store,
    taskId: task.id,
    image: request.image,
    allow: request.allow,
    name: request.goal,
    signal,
    onSwitch: task.onSwitch,
  })
  const begin = { last: point.last, behind: point.behind }
  const slots = new Slots(request.branching.machines)
  const budget = new CheckpointBudget((request.checkpoints ?? Checkpoints.parse({})).most)
  return runLoop(loopOn(task, { line, planner, leash, signal, goal: request.goal, begin, depth: 0, slots, budget }))
}

export type OneLoop = {
  line: Line
  planner: Planner
  leash: Leash
  signal: AbortSignal
  goal: string
  begin: NonNullable<LoopContext['begin']>
  branchId?: string
  depth: number
  slots: Slots
  budget: CheckpointBudget
  onStep?: (step: Step) => void
}

/** What the loop needs, on the task's own line or in a branch. Only the first is gone on with after a crash. */
export function loopOn(task: Drive, loop: OneLoop): LoopContext {
  const { id, request, control, store, frames, secrets, log } = task
  const { line, planner, leash, signal, begin, branchId } = loop
  const isOwn = branchId === undefined
  const fromSnapshot = isOwn ? task.point.fromSnapshot : line.head()
  const recovery = new RecoveryWatch(recoveryOf(request, planner), { snapshotId: fromSnapshot, ...begin })
  const limits = checkpointsOf(request, planner, recovery)
  const checkpoints = new AutomaticCheckpoints({ line, limits, budget: loop.budget, log })
  let place = scriptPlaceOf(task.point)
  return {
    taskId: id,
    goal: loop.goal,
    planner,
    sandbox: () => line.sandbox(),
    frames: new FrameKeeper(frames),
    verifier: verifierFor(task, line, signal),
    budget: request.budget,
    leash,
    begin,
    nextIndex: () => store.tasks.get(id)?.stepCount ?? 0,
    currentSnapshot: () => line.head(),
    signal,
    secrets,
    tree: treeOn(task, loop, recovery),
    mark: () => ({ machineId: line.machineId, ...(isOwn ? {} : { branchId }) }),
    ...(isOwn ? { askPerson: (...question) => control.ask(...question) } : {}),
    onLook: (frame) => {
      if (isOwn) control.looksAt(frame)
    },
    onDecided: () => {
      if (isOwn) store.conversations.save(id, secrets.redactDeep(planner.save?.() ?? place), leash.meter.spent)
    },
    beforeActs: (acts) => checkpoints.before(acts),
    checkpoint: (step) => checkpoints.after(step),
    onStep: (step, fresh, behind) => {
      if (step.snapshotAfter !== null) place = { snapshotId: step.snapshotAfter, behind }
      store.transaction(() => {
        store.steps.append(step, fresh)
        if (isOwn && !planner.save) store.conversations.save(id, place, leash.meter.spent)
        if (isOwn) store.conversations.settle(id, leash.meter.spent)
      })
      loop.onStep?.(step)
      task.onStep(step)
    },
    onActivity: (phase, text) => task.onActivity(phase, secrets.redact(text), branchId),
  }
}

export function verifierFor({ frames }: Drive, line: Line, signal: AbortSignal): Verifier {
  return openVerifier({ sandbox: () => line.sandbox(), frames, readText, signal })
}

/** A script has no second idea: its first failure counts. And it goes back only when it was asked for. */
function recoveryOf({ recovery, planner: choice }: RunTask, planner: Planner): Recovery {
  const limits = recovery ?? (isModel(choice) ? Recovery.parse({}) : { after: 1, times: 0 })
  return planner.save ? limits : { ...limits, after: 1 }
}

/** A model's work is dear: it is gone on with after a crash. A script that goes back needs every place it stood at. */
function checkpointsOf(request: RunTask, planner: Planner, recovery: RecoveryWatch): Checkpoints {
  const usual = Checkpoints.parse({})
  if (recovery.on && !planner.save) return { ...usual, ...request.checkpoints, every: 1 }
  return (
    request.checkpoints ?? {
      ...usual,
      every: isModel(request.planner) || request.planner.kind === 'script' ? usual.every : 0,
    }
  )
}
