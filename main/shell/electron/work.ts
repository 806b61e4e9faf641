import type { Machine } from '../../contract/machine.ts'
import type { EngineEvent } from '../../contract/rpc.ts'
import type { Task } from '../../contract/task.ts'

/** What is going on in the engine, as far as the tray, the quit question and the background need to know. */
export type Work = { tasks: ReadonlyMap<string, Task>; machines: ReadonlyMap<string, Machine> }

export const noWork: Work = { tasks: new Map(), machines: new Map() }

const under = new Set<Task['state']>(['queued', 'preparing', 'running'])

export function workOf(tasks: readonly Task[], machines: readonly Machine[]): Work {
  return {
    tasks: new Map(tasks.filter(({ state }) => under.has(state)).map((task) => [task.id, task])),
    machines: new Map(machines.filter(({ state }) => state.kind !== 'dead').map((machine) => [machine.id, machine])),
  }
}

/** The same object comes back when the event changes nothing here. */
export function afterEvent(work: Work, event: EngineEvent): Work {
  if (event.type === 'task')
    return workOf([...without(work.tasks, event.task.id), event.task], [...work.machines.values()])
  if (event.type === 'machine')
    return workOf([...work.tasks.values()], [...without(work.machines, event.machine.id), event.machine])
  return work
}

const without = <T>(things: ReadonlyMap<string, T>, id: string) =>
  [...things].filter(([key]) => key !== id).map(([, thing]) => thing)

/** Machines that run and work for nobody: what may stand still while nobody looks. */
export function idleMachines({ tasks, machines }: Work): Machine[] {
  return [...machines.values()].filter(
    ({ state, taskId }) => state.kind === 'running' && (taskId === null || !tasks.has(taskId)),
  )
}
