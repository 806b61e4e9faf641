import type { Step } from './task.ts'

/** What was typed or written, step by step: what a person may want to make variable. */
export function typedValues(steps: Pick<Step, 'index' | 'actions'>[]): { stepIndex: number; recorded: string }[] {
  return steps.flatMap(({ index, actions }) =>
    actions.flatMap(({ act }) => {
      const text = act.type === 'type' || act.type === 'write_file' ? act.text.replace(/\n+$/, '') : ''
      return text.trim() === '' ? [] : [{ stepIndex: index, recorded: text }]
    }),
  )
}
