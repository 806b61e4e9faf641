import { GodHandError } from '../contract/errors.ts'
import type { Step } from '../contract/task.ts'
import type { StoreReader } from './store.ts'

/** What is known of a trace's machines: enough to say how any moment of it comes about again. */
export type History = {
  /** `snapshotAfter` also says what is gone by now. */
  steps: readonly Step[]
  /** The snapshot a machine was resumed from, also when it is gone; null: a fresh desktop; undefined: it is unknown. */
  parentOf(machineId: string): string | null | undefined
  /** Where the task began. */
  root: string | null
}

export function historyOf(store: StoreReader, taskId: string): History {
  const kept = store.steps.kept(taskId)
  const imported = store.imports.get(taskId)?.lineage.machines
  return {
    steps: store.steps.list(taskId).map((step) => ({ ...step, snapshotAfter: kept.get(step.index) ?? null })),
    parentOf: (id) =>
      imported ? imported.find((machine) => machine.id === id)?.parentSnapshot : store.machines.get(id)?.bornOf,
    root: store.tasks.request(taskId)?.fromSnapshot ?? null,
  }
}

/** How to come to a moment: resume this, then do these steps again. Null: a fresh desktop. */
export type Way = { fromSnapshot: string | null; steps: Step[] }

/**
 * From the nearest snapshot of `usable` to the moment after a step. It follows machines, not the order of the steps: what
 * was rolled back, and the branches that lost, are no part of the way.
 */
export function wayTo(history: History, index: number, usable: (snapshotId: string) => boolean): Way {
  const machines = machinesOf(history.steps)
  const way: Step[] = []
  let step: Step | undefined = history.steps[index]
  while (step) {
    const machine = machines[step.index]
    const kept: string | null = keptAfter(step)
    if (kept && usable(kept)) return { fromSnapshot: kept, steps: effective(way) }
    way.unshift(step)
    const earlier: Step | undefined = history.steps.findLast(
      (each) => each.index < (way[0]?.index ?? 0) && machines[each.index] === machine,
    )
    if (earlier) {
      step = earlier
      continue
    }
    const known = machine === undefined ? undefined : history.parentOf(machine)
    const parent = known === undefined ? history.root : known
    if (parent === null || parent === history.root || usable(parent))
      return { fromSnapshot: parent !== null && usable(parent) ? parent : null, steps: effective(way) }
    const earlierSteps = history.steps.slice(0, step.index) // always further back, so it ends whatever a file says
    step = makerOf(parent, earlierSteps) ?? before(earlierSteps, step)
  }
  return { fromSnapshot: history.root !== null && usable(history.root) ? history.root : null, steps: effective(way) }
}

export function stepOf(history: History, index: number): Step {
  const step = history.steps[index]
  if (step) return step
  throw new GodHandError('not_found', `There is no step ${index + 1}: the trace has ${history.steps.length}.`)
}

/** The snapshot that shows the machine just after the step, if one was taken then. */
function keptAfter({ snapshotAfter, actions }: Step): string | null {
  return snapshotAfter ?? actions.at(-1)?.result.snapshot ?? null
}

/** What a person did by hand has no machine written beside it: it was the one of the steps around it. */
function machinesOf(steps: readonly Step[]): (string | undefined)[] {
  let last = steps.find(({ branchId, machineId }) => branchId === undefined && machineId !== undefined)?.machineId
  return steps.map(({ machineId, branchId }) => {
    if (branchId === undefined && machineId !== undefined) last = machineId
    return machineId ?? last
  })
}

/** The step in which a snapshot was taken, as far as it had gone by then. */
function makerOf(snapshotId: string, steps: readonly Step[]): Step | undefined {
  const maker = steps.find(
    ({ snapshotAfter, actions }) =>
      snapshotAfter === snapshotId || actions.some(({ result }) => result.snapshot === snapshotId),
  )
  if (!maker || maker.snapshotAfter === snapshotId) return maker
  const at = maker.actions.findIndex(({ result }) => result.snapshot === snapshotId)
  return { ...maker, actions: maker.actions.slice(0, at), after: null, settle: null, checks: [], snapshotAfter: null }
}

/** A copy was made where nobody kept a snapshot by hand: it stood where its line stood. */
function before(earlier: readonly Step[], { branchId }: Step): Step | undefined {
  return (
    earlier.findLast((step) => step.branchId === branchId) ?? earlier.findLast((step) => step.branchId === undefined)
  )
}

/** What a step did to the machine that was left when it ended. Acts on machines as a whole are in the way already. */
function effective(steps: Step[]): Step[] {
  return steps.flatMap((step) => {
    const cut = step.actions.findLastIndex(({ act }) => act.type === 'rollback' || act.type === 'branch')
    const actions = step.actions.slice(cut + 1).filter(({ act }) => act.type !== 'checkpoint')
    if (actions.length === 0 && step.actions.length > 0) return []
    return [{ ...step, actions, ...(cut >= 0 && { before: null }) }]
  })
}
