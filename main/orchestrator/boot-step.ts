import type { BootedStep, BootStep } from '../contract/boot-step.ts'
import { RunTask } from '../contract/task.ts'
import type { Store } from '../trace/store.ts'
import { historyOf, stepOf, wayTo } from '../trace/way-to-step.ts'
import type { Machines } from './machines.ts'
import type { Tasks } from './tasks.ts'

type Parts = { store: Store; machines: Machines; tasks: Tasks }

/**
 * The machine of a trace as it was at a step. Where it was kept then, it is resumed; else the nearest moment before that was
 * kept, or a fresh desktop, and the steps in between are done again by a task that leaves its machine running.
 */
export async function bootStep({ store, machines, tasks }: Parts, wish: BootStep): Promise<BootedStep> {
  const { goal, image } = tasks.get(wish.taskId)
  const history = historyOf(store, wish.taskId)
  stepOf(history, wish.step)
  const upTo = wish.moment === 'after' ? wish.step : wish.step - 1
  const usable = await bootable(store, machines, image, wish.taskId)
  const { fromSnapshot, steps } = wayTo(history, upTo, usable)
  const base = fromSnapshot === null ? {} : { fromSnapshot }
  if (!steps.some(({ actions }) => actions.length > 0)) {
    const name = `${wish.moment} step ${wish.step + 1} of ${goal}`.slice(0, 100)
    return { kind: 'machine', machine: await machines.create({ image, name, boot: false, allow: [], ...base }) }
  }
  const task = await tasks.start(
    RunTask.parse({
      goal: `Bring a machine to step ${upTo + 1} of “${goal.slice(0, 1000)}”`,
      image,
      planner: { kind: 'replay', taskId: wish.taskId, upTo },
      ...base,
      keepMachine: true,
    }),
  )
  return { kind: 'replaying', task, fromSnapshot, steps: steps.length }
}

/** A machine of another house boots here only where everything it depends on is the same; else its steps are done again. */
async function bootable(store: Store, machines: Machines, image: string, taskId: string) {
  if (!store.imports.get(taskId)) return (id: string) => store.snapshots.get(id) !== null
  const made = await machines.environment(image)
  return (id: string) => {
    const snapshot = store.snapshots.get(id)
    return snapshot !== null && (made?.templateKey == null || made.templateKey === snapshot.templateKey)
  }
}

/** A replay begins where the recorded task began, if that moment is still here. */
export function onItsBase(store: Store, request: RunTask): RunTask {
  if (request.planner.kind !== 'replay' || request.fromSnapshot !== undefined) return request
  const base = store.tasks.request(request.planner.taskId)?.fromSnapshot
  return base !== undefined && store.snapshots.get(base) ? { ...request, fromSnapshot: base } : request
}
