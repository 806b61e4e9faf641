import type { MessageBoxOptions } from 'electron'
import { words } from './words.ts'
import type { Work } from './work.ts'

export type QuitAnswer = 'quit' | 'background' | 'cancel'

const answers: QuitAnswer[] = ['quit', 'background', 'cancel']

/** What to ask before quitting; null when nothing would be lost by it. An engine that is not ours works on without us. */
export function quitQuestion(work: Work, ownEngine: boolean): MessageBoxOptions | null {
  const busy = work.tasks.size > 0 || work.machines.size > 0
  if (!ownEngine || !busy) return null
  return {
    type: 'question',
    message: words.quit.title(work.tasks.size, work.machines.size),
    detail: words.quit.detail,
    buttons: [words.quit.quit, words.quit.background, words.quit.cancel],
    defaultId: 2,
    cancelId: 2,
    noLink: true,
  }
}

export const quitAnswer = (button: number): QuitAnswer => answers[button] ?? 'cancel'
