import type { Branch } from '../../contract/branching.ts'
import type { Step } from '../../contract/task.ts'
import type { Lineage } from '../bundle/format.ts'

/** What the tree needs to know of a step; a long trace has many, so it is little. */
export type TreeStep = Pick<Step, 'index' | 'verdict' | 'branchId' | 'machineId' | 'startedAt'> & {
  keeps: string[] // snapshots taken in it
  wentBackTo: string | null // where it rolled the machine back to, in the words of the act
}

export function treeStep({ index, verdict, branchId, machineId, startedAt, snapshotAfter, actions }: Step): TreeStep {
  const back = actions.findLast(({ act, result }) => act.type === 'rollback' && result.ok)?.act
  return {
    index,
    verdict,
    branchId,
    machineId,
    startedAt,
    keeps: [snapshotAfter, ...actions.map(({ result }) => result.snapshot)].filter((id) => typeof id === 'string'),
    wentBackTo: back?.type === 'rollback' ? back.to : null,
  }
}

/** Steps one after the other. `undoneBy`: the step before which, or in which, the machine went back behind them. */
export type Run = { kind: 'run'; steps: TreeStep[]; undoneBy: TreeStep | null }
export type Choice = { kind: 'choice'; madeIn: TreeStep | null; ways: Way[] }
/** `number` is its own among all ways of the trace, `name` what a person calls it. */
export type Way = { number: number; name: string; branch: Branch; line: Line }
export type Line = (Run | Choice)[]

/** Deeper than branches go; a file of another house may say anything. */
const deepest = 20

/** The task's own line with all it tried, in order. A line is followed by its machines: what they went back behind is undone. */
export function branchTree(steps: readonly TreeStep[], { machines, branches = [] }: Lineage): Line {
  const parentOf = new Map(machines.map(({ id, parentSnapshot }) => [id, parentSnapshot]))
  const stepsOf = Map.groupBy(steps, ({ branchId }) => branchId ?? null)
  const branchesIn = Map.groupBy(branches, ({ parentId }) => parentId)
  let numbered = 0
  const wayOf = (branch: Branch, depth: number): Way => {
    const number = ++numbered
    return { number, name: `Way ${branch.option + 1}`, branch, line: lineOf(branch.id, depth + 1) }
  }
  const lineOf = (branchId: string | null, depth: number): Line => {
    const own = stepsOf.get(branchId) ?? []
    const undone = undoneIn(own, parentOf)
    const line: Line = []
    const inside = depth > deepest ? [] : (branchesIn.get(branchId) ?? [])
    branchesIn.delete(branchId) // each is told once
    const choices = Map.groupBy(choicesIn(inside), (choice) => stepOf(choice, own))
    const add = (step: TreeStep | null) => {
      for (const choice of choices.get(step) ?? [])
        line.push({ kind: 'choice', madeIn: step, ways: choice.map((branch) => wayOf(branch, depth)) })
    }
    add(null)
    for (const step of own) {
      add(step) // the ways were tried before the step they belong to was over
      const last = line.at(-1)
      const undoneBy = undone.get(step.index) ?? null
      if (last?.kind === 'run' && last.undoneBy === undoneBy) last.steps.push(step)
      else line.push({ kind: 'run', steps: [step], undoneBy })
    }
    return line
  }
  return lineOf(null, 0)
}

/** Whether there is more to it than one step after the other. */
export function isTree(line: Line): boolean {
  return line.some((part) => part.kind === 'choice' || part.undoneBy !== null)
}

export function waysIn(line: Line): Way[] {
  return line.flatMap((part) => (part.kind === 'choice' ? part.ways.flatMap((way) => [way, ...waysIn(way.line)]) : []))
}

function choicesIn(branches: Branch[]): Branch[][] {
  const byDecision = Map.groupBy(branches, ({ decisionId }) => decisionId)
  return [...byDecision.values()].map((ways) => ways.toSorted((a, b) => a.option - b.option))
}

/** The step in which it was chosen: the last that had begun by then. */
function stepOf([first]: Branch[], own: TreeStep[]): TreeStep | null {
  return own.findLast(({ startedAt }) => first !== undefined && startedAt <= first.createdAt) ?? null
}

/** By index, the step that undid it. A machine born of what an earlier step kept leaves behind everything in between. */
function undoneIn(own: TreeStep[], parentOf: Map<string, string | null>): Map<number, TreeStep> {
  const undone = new Map<number, TreeStep>()
  for (const [n, step] of own.entries()) {
    const before = own[n - 1]
    if (!before || !step.machineId || step.machineId === before.machineId) continue
    const parent = parentOf.get(step.machineId)
    const maker = parent ? own.findLastIndex(({ keeps }, at) => at < n && keeps.includes(parent)) : -1
    if (maker < 0) continue
    for (const gone of own.slice(maker + 1, n)) if (!undone.has(gone.index)) undone.set(gone.index, step)
  }
  return undone
}
