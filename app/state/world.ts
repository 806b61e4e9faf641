import type { BenchmarkRun } from '../../main/contract/benchmark.ts'
import type { Branch } from '../../main/contract/branching.ts'
import type { ExportJob } from '../../main/contract/export.ts'
import type { ImageWork } from '../../main/contract/image.ts'
import type { Machine } from '../../main/contract/machine.ts'
import type { EngineEvent, Output, Readiness } from '../../main/contract/rpc.ts'
import type { Step, Task, TaskState } from '../../main/contract/task.ts'

export type EngineInfo = Output<'engine.info'>
export type Activity = Omit<Extract<EngineEvent, { type: 'activity' }>, 'type' | 'taskId'>

/** What the UI knows of the engine. Changed only by the functions below, so that it can be tested without a page. */
export type World = {
  info: EngineInfo | null // null until the engine has answered once
  readiness: Readiness | null
  tasks: Readonly<Record<string, Task>>
  steps: Readonly<Record<string, readonly Step[]>> // by task, in order; holes are possible until the task was fetched
  activity: Readonly<Record<string, Activity>> // of tasks under way, and of their branches
  branches: Readonly<Record<string, readonly Branch[]>> // by task, in the order they were made
  exports: Readonly<Record<string, ExportJob>> // files being made of traces, since this page was opened
  machines: Readonly<Record<string, Machine>> // the dead ones too: their page says why they died
  benchmarks: Readonly<Record<string, BenchmarkRun>> // those heard of; the list is asked for where it is shown
  imageWork: Readonly<Record<string, ImageWork>> // images being made, and those whose making failed
}

export const emptyWorld: World = {
  info: null,
  readiness: null,
  tasks: {},
  steps: {},
  activity: {},
  branches: {},
  machines: {},
  benchmarks: {},
  imageWork: {},
  exports: {},
}

const order: Record<TaskState, number> = {
  queued: 0,
  preparing: 1,
  running: 2,
  succeeded: 3,
  failed: 3,
  stopped: 3,
  interrupted: 3,
}

export const isOver = (task: Task): boolean => order[task.state] === 3

/** A task that stands still until the person says something. */
export const needsPerson = (task: Pick<Task, 'waitingFor'>): boolean => Boolean(task.waitingFor)

/** Answers and events can overtake each other; a task only moves forwards, but for an interrupted one that goes on. */
function laterOf(known: Task | undefined, heard: Task): Task {
  if (!known || known.state === 'interrupted') return heard
  const forwards = order[heard.state] - order[known.state]
  if (forwards < 0 || (forwards === 0 && heard.stepCount < known.stepCount)) return known
  return heard.stepCount < known.stepCount ? { ...heard, stepCount: known.stepCount } : heard
}

export function applyEvent(world: World, event: EngineEvent): World {
  switch (event.type) {
    case 'task':
      return withTask(world, event.task)
    case 'step': {
      const { taskId, index } = event.step
      const task = world.tasks[taskId]
      return {
        ...world,
        steps: { ...world.steps, [taskId]: mergeSteps(world.steps[taskId] ?? [], [event.step]) },
        tasks:
          task && task.stepCount <= index
            ? { ...world.tasks, [taskId]: { ...task, stepCount: index + 1 } }
            : world.tasks,
      }
    }
    case 'activity': {
      const { taskId, phase, text, branchId } = event
      return { ...world, activity: { ...world.activity, [branchId ?? taskId]: { phase, text } } }
    }
    case 'benchmark':
      return { ...world, benchmarks: { ...world.benchmarks, [event.run.id]: event.run } }
    case 'export':
      return { ...world, exports: { ...world.exports, [event.job.id]: event.job } }
    case 'branch':
      return withBranches(world, event.branch.taskId, [event.branch])
    case 'calibration':
    case 'egress':
      return world // shown where the machine's attempts are listed, which no screen does yet
    case 'machine':
      return { ...world, machines: { ...world.machines, [event.machine.id]: event.machine } }
    case 'readiness':
      return { ...world, readiness: event.readiness }
    case 'image': {
      const { [event.work.id]: _, ...others } = world.imageWork
      return { ...world, imageWork: event.work.state === 'done' ? others : { ...others, [event.work.id]: event.work } }
    }
  }
}

export function withTask(world: World, heard: Task): World {
  const task = laterOf(world.tasks[heard.id], heard)
  const { [task.id]: _, ...others } = world.activity
  return {
    ...world,
    tasks: { ...world.tasks, [task.id]: task },
    activity: isOver(task) ? others : world.activity,
  }
}

export function withBranches(world: World, taskId: string, heard: readonly Branch[]): World {
  const byId = new Map([...(world.branches[taskId] ?? []), ...heard].map((branch) => [branch.id, branch]))
  return { ...world, branches: { ...world.branches, [taskId]: [...byId.values()] } }
}

export function withTaskDetail(world: World, detail: { task: Task; steps: readonly Step[] }): World {
  const next = withTask(world, detail.task)
  const known = next.steps[detail.task.id] ?? []
  return { ...next, steps: { ...next.steps, [detail.task.id]: mergeSteps(known, detail.steps) } }
}

/** After connecting: what the engine lists is what there is. Machines it no longer lists are gone. */
export function withLists(world: World, lists: { info: EngineInfo; tasks: Task[]; machines: Machine[] }): World {
  const tasks = Object.fromEntries(lists.tasks.map((task) => [task.id, laterOf(world.tasks[task.id], task)]))
  return {
    info: lists.info,
    readiness: lists.info.readiness,
    tasks,
    steps: world.steps,
    branches: world.branches,
    exports: world.exports,
    activity: Object.fromEntries(
      Object.entries(world.activity).filter(([id]) => tasks[id] !== undefined && !isOver(tasks[id])),
    ),
    imageWork: world.imageWork,
    machines: Object.fromEntries(lists.machines.map((machine) => [machine.id, machine])),
    benchmarks: {}, // the screen that shows them asks anew
  }
}

function mergeSteps(known: readonly Step[], heard: readonly Step[]): readonly Step[] {
  const [first] = heard
  const last = known.at(-1)
  if (first && heard.length === 1 && (!last || first.index > last.index)) return [...known, first]
  const byIndex = new Map([...known, ...heard].map((step) => [step.index, step]))
  return [...byIndex.values()].sort((a, b) => a.index - b.index)
}

export function newestFirst(tasks: World['tasks']): Task[] {
  return Object.values(tasks).sort((a, b) => b.createdAt.localeCompare(a.createdAt))
}

export function liveMachines(machines: World['machines']): Machine[] {
  return Object.values(machines)
    .filter((machine) => machine.state.kind !== 'dead')
    .sort((a, b) => a.createdAt.localeCompare(b.createdAt))
}

/** The newest picture there is of a task, for when its machine is gone. */
export function lastFrame(steps: readonly Step[]): string | null {
  const step = steps.findLast((candidate) => candidate.after ?? candidate.before)
  return step?.after ?? step?.before ?? null
}
