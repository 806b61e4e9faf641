import { GodHandError } from '../../contract/errors.ts'
import { Script, type ScriptStep } from '../../contract/task.ts'
import type { BranchAct, BranchOption } from '../../contract/tree-act.ts'

/** The script of a way that brings its own steps. What the branch must lead to is checked where it names nothing itself. */
export function scriptOf({ plan, steps, finish, finishTimeoutSeconds }: BranchOption, { checks }: BranchAct): Script {
  const read = Script.safeParse({ goal: plan, steps, finish: finish?.length ? finish : checks, finishTimeoutSeconds })
  if (read.success) return read.data
  throw new GodHandError('bad_request', `The way “${plan}” cannot be read as a script: ${read.error.message}`)
}

/** Said before anything is started: a script whose branches cannot be read would end in the middle. */
export function checkBranches(steps: ScriptStep[]): void {
  for (const act of steps.flatMap((step) => step.do)) {
    if (act.type !== 'branch') continue
    for (const option of act.options) checkBranches(scriptOf(option, act).steps)
  }
}
