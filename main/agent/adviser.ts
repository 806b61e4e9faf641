import type { Usage } from '../contract/usage.ts'
import type { PictureRef } from './planners/conversation/pictures.ts'

export type AdvicePart = { type: 'text'; text: string } | { type: 'picture'; picture: PictureRef }

/** A model that is asked one question and answers in words. It has no tools and touches nothing. */
export interface Adviser {
  readonly name: string
  ask(question: { system: string; parts: AdvicePart[] }, signal: AbortSignal): Promise<{ text: string; usage: Usage }>
}
