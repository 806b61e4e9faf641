import type { ReplayChoice, ReplayedStep } from '../../main/contract/replay.ts'
import type { Step, WaitingFor } from '../../main/contract/task.ts'
import { frameOf } from './fake-frames.ts'
import { beats } from './fake-story.ts'

/** A make-believe replay: the same story, with the editor found elsewhere once and the clock an hour on. */

const outcomes: Partial<Record<number, Partial<ReplayedStep>>> = {
  1: {
    outcome: 'moved',
    share: 0.19,
    targets: [{ recorded: { x: 90, y: 594 }, at: { x: 130, y: 594 }, by: 'text', what: 'Text Editor' }],
  },
  4: {
    outcome: 'differs',
    share: 0.09,
    note: '9 % of the screen is not as it was in the recording, but its checks hold',
  },
}

export async function replayedStep(step: Step, variables: ReplayChoice['variables'] = []): Promise<Step> {
  const found = { index: step.index, outcome: 'agrees' as const, note: null, share: 0, targets: [] }
  const scene = beats[step.index]?.scene ?? {}
  const other = outcomes[step.index]?.outcome === 'differs'
  return {
    ...step,
    actions: step.actions.map(({ act, result }) => ({
      act:
        act.type === 'type'
          ? {
              ...act,
              text: variables.reduce((text, { recorded, value }) => text.replaceAll(recorded, value), act.text),
            }
          : act,
      result,
    })),
    ...(other && { after: await frameOf({ ...scene, clock: '10:42' }) }),
    ...(step.verdict === 'fail' && { verdict: 'pass' as const, checks: [] }),
    compared: [{ ...found, ...outcomes[step.index] }],
  }
}

/** Where it asks, it asks once. */
export const replayAsks = (index: number, disagreement: ReplayChoice['disagreement']): WaitingFor | undefined =>
  index === 3 && disagreement === 'ask'
    ? {
        kind: 'question',
        text: 'Step 4 of 6 (Press ctrl+s): what was pointed at in the recording is not on the screen. Answer “again” to try this step once more, “skip” to go on without it, or “stop”. You may put the screen right by hand first.',
        answers: ['again', 'skip', 'stop'],
      }
    : undefined
