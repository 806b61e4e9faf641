import type { Script } from '../../contract/task.ts'
import { checkBranches } from '../branch/options.ts'
import type { LastTurn, Observation, Planner, Turn } from '../planner.ts'

/** Plays typed steps in order. A step whose expectation fails ends the task: a script has no second idea. */
export class ScriptPlanner implements Planner {
  readonly name: string
  readonly #script: Script

  constructor(script: Script, name = 'script') {
    checkBranches(script.steps)
    this.#script = script
    this.name = name
  }

  next({ stepIndex, last }: Observation): Promise<Turn> {
    return Promise.resolve(this.#turn(stepIndex, last))
  }

  #turn(index: number, last: LastTurn | null): Turn {
    const trouble = last && troubleIn(last)
    if (trouble) return { kind: 'give_up', thought: 'The script cannot go on from here.', reason: trouble }
    const step = this.#script.steps[index]
    if (step)
      return {
        kind: 'act',
        thought: step.say,
        acts: step.do,
        expect: step.expect,
        timeoutMs: step.timeoutSeconds * 1000,
      }
    return {
      kind: 'finish',
      thought: 'Everything is done. Looking at the machine itself to be sure.',
      summary: this.#script.goal,
      checks: this.#script.finish,
      timeoutMs: this.#script.finishTimeoutSeconds * 1000,
    }
  }
}

function troubleIn({ results, checks }: LastTurn): string | null {
  const failedAct = results.find((result) => !result.ok)
  if (failedAct) return failedAct.error?.message ?? 'An action failed.'
  const failedCheck = checks.find((check) => !check.verdict.pass)
  return failedCheck ? failedCheck.verdict.summary : null
}
