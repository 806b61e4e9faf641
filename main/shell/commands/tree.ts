import type { Lineage } from '../../contract/branching.ts'
import { withEngine } from '../command-context.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import { shorten } from '../table.ts'

/** The ways a task went: snapshots below the one they stand on, and the branches that began at each. */
export async function tree(taskId: string, output: Output): Promise<number> {
  const lineage = await withEngine(output, { machines: false }, ({ client }) => client.call('lineage.get', { taskId }))
  output.answer(lineage, treeText(lineage))
  return exitCodes.ok
}

export function treeText({ snapshots, branches, steps, machineId }: Lineage): string {
  const known = new Set(snapshots.map(({ id }) => id))
  const below = (parentId: string | null, depth: number): string[] =>
    snapshots
      .filter((one) => (one.parentId !== null && known.has(one.parentId) ? one.parentId : null) === parentId)
      .flatMap((one) => [
        `${'  '.repeat(depth)}${one.id}${one.label ? `  “${one.label}”` : ''}${one.pinned ? '  pinned' : ''}`,
        ...branches
          .filter(({ fromSnapshot }) => fromSnapshot === one.id)
          .map((branch) => branchText(branch, depth + 1)),
        ...below(one.id, depth + 1),
      ])
  const gone = branches.filter(({ fromSnapshot }) => fromSnapshot === null || !known.has(fromSnapshot))
  const lines = [...below(null, 0), ...gone.map((branch) => branchText(branch, 0))]
  const own = steps.filter(({ branchId }) => branchId === null).length
  const head = `${own} steps of its own, ${steps.length - own} in ${branches.length} branches; machine ${machineId ?? 'none'}`
  return [head, ...lines].join('\n')
}

function branchText({ won, plan, state, verdict, reasons }: Lineage['branches'][number], depth: number): string {
  const why = reasons.at(-1) ?? verdict ?? ''
  return `${'  '.repeat(depth)}${won ? '✔' : '✘'} ${shorten(plan, 50)}  ${state}  ${shorten(why, 80)}`
}
