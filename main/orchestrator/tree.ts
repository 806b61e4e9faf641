import type { RecoveryWatch } from '../agent/branch/recovery.ts'
import type { Tree } from '../agent/loop-context.ts'
import { JudgeRules } from '../contract/branching.ts'
import { GodHandError } from '../contract/errors.ts'
import type { ActResult } from '../contract/task.ts'
import type { TreeAct } from '../contract/tree-act.ts'
import type { Drive, OneLoop } from './drive.ts'
import { rehearse } from './rehearsal.ts'
import { hold } from './tournament.ts'

/** What an agent can do to its machine as a whole, on one line of its task. */
export function treeOn(task: Drive, loop: OneLoop, recovery: RecoveryWatch): Tree {
  const { machines, request, control, log } = task
  const { line, planner, branchId, depth, slots, budget } = loop
  const act = async (wish: TreeAct, behind: number): Promise<ActResult> => {
    if (wish.type === 'checkpoint') {
      const { id } = await line.keep(wish.label)
      return { ok: true, said: `Kept as “${wish.label}” (${id}).`, snapshot: id }
    }
    if (wish.type === 'rollback') {
      const { id, label } = line.find(wish.to)
      await line.goBack(id)
      return { ok: true, said: `The machine is as it was at “${label ?? id}”. What was done since is undone.` }
    }
    return hold({
      drive: task,
      line,
      act: wish,
      planner,
      turnsBehind: behind + 1,
      depth,
      parentId: branchId ?? null,
      slots,
      budget,
      branching: request.branching,
      rules: request.branching.rules ?? JudgeRules.parse({}),
    })
  }
  return {
    recovery,
    goBack: ({ snapshotId }) => line.goBack(snapshotId),
    do: (wish, _turn, behind) =>
      act(wish, behind).catch((thrown: unknown) => {
        control.signal.throwIfAborted()
        const error = GodHandError.from(thrown)
        if (error.code === 'machine_died') throw error
        return { ok: false, error: error.toInfo() }
      }),
    ...(branchId === undefined && {
      rehearse: (work) =>
        rehearse(
          { machines, line, taskId: task.id, image: request.image, allow: request.allow, signal: control.signal, log },
          work,
        ),
    }),
  }
}
