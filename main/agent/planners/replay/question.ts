import type { Turn } from '../../planner.ts'

const ways =
  'Answer “again” to try this step once more, “skip” to go on without it, or “stop”. You may put the screen right by hand first.'

/** What is asked where the screen no longer agrees. */
export function questionOn(reason: string): Turn {
  return {
    kind: 'ask',
    thought: 'The screen no longer agrees with the recording.',
    question: `${reason} ${ways}`,
    answers: ['again', 'skip', 'stop'],
  }
}

const meanings = {
  again: /^(again|retry|try|repeat|yes)\b/i,
  skip: /^(skip|go on|continue|next|ignore)\b/i,
  stop: /^(stop|end|abort|cancel|no|quit)\b/i,
}

/** Null: it was not understood. Nobody there to answer means the end. */
export function readAnswer(answer: string | undefined): 'again' | 'skip' | 'stop' | null {
  if (answer === undefined) return 'stop'
  const words = answer.trim()
  if (meanings.again.test(words)) return 'again'
  if (meanings.skip.test(words)) return 'skip'
  return meanings.stop.test(words) ? 'stop' : null
}
