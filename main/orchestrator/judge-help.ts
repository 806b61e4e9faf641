import type { JudgeHelp } from '../agent/branch/judge.ts'
import { modelJudge } from '../agent/branch/model-judge.ts'
import { troubleIn } from '../agent/branch/trouble.ts'
import type { JudgeRules } from '../contract/branching.ts'
import { GodHandError } from '../contract/errors.ts'
import type { ModelChoice } from '../contract/model.ts'
import { decodePng } from '../screen/frames.ts'
import { readText } from '../screen/text/read-text.ts'
import type { Drive } from './drive.ts'
import { modelOf } from './task-control.ts'

/** What the judge asks for when counting does not tell the ways apart. A help that fails decides nothing. */
export function helpFor(drive: Drive, rules: JudgeRules): JudgeHelp {
  const { frames, log, request } = drive
  const or =
    <T>(fallback: T) =>
    (thrown: unknown) => {
      drive.control.signal.throwIfAborted()
      log.warn({ taskId: drive.id, err: GodHandError.from(thrown).toInfo() }, 'the judge had to do without')
      return fallback
    }
  const choice = rules.judge ?? modelOf(request.planner)
  return {
    troubleOn: async (hash) => {
      const png = await frames.get(hash)
      return png ? troubleIn(await decodePng(png).then(readText).catch(or([]))) : []
    },
    ...(choice && { breakTie: (tied) => ask(drive, choice)(tied).catch(or(null)) }),
  }
}

function ask({ request, control, adviserFor }: Drive, choice: ModelChoice): NonNullable<JudgeHelp['breakTie']> {
  return async (tied) => {
    const adviser = await adviserFor(choice)
    return modelJudge(adviser, request.goal, control.signal, (usage) => control.leash.meter.spend(usage))(tied)
  }
}
