import type { ReplayChoice } from '../../main/contract/replay.ts'
import type { Step } from '../../main/contract/task.ts'
import { typedValues } from '../../main/contract/typed-values.ts'

/** The contract's own bound. */
export const mostVariables = 100

/** Something that was typed, once however often, with the steps that typed it, counted from one. */
export type RecordedValue = { recorded: string; steps: readonly number[] }

export function valuesOf(steps: readonly Step[]): RecordedValue[] {
  const found = new Map<string, Set<number>>()
  for (const { recorded, stepIndex } of typedValues([...steps]))
    found.set(recorded, (found.get(recorded) ?? new Set()).add(stepIndex + 1))
  return [...found].map(([recorded, at]) => ({ recorded, steps: [...at] }))
}

/** Only what was changed is a variable: the rest is typed as it was. */
export function variablesOf(typed: ReadonlyMap<string, string>): ReplayChoice['variables'] {
  return [...typed].flatMap(([recorded, value]) => (value === recorded ? [] : [{ recorded, value }]))
}
