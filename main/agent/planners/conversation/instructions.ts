import { untrustedRule } from './untrusted.ts'

export type Instructions = {
  /** Names of secrets the person gave. Their values never come near a model. */
  secrets?: string[]
  /** What the person or the task adds: allowed domains, house rules. */
  extra?: string
}

/** The standing orders, the same in every turn so that they can be cached. */
export function systemPrompt({ secrets = [], extra }: Instructions, computer: string): string {
  const parts = [
    `You are GodHand, an agent with a machine of its own: a disposable Linux desktop, made for this one task, that a person watches. You see its screen and drive it like a person would. ${computer}`,
    `Work like this: look, decide, act, verify. Several actions that belong together go into one turn. State what should be true after them with assert, or wait_for where it takes time, or with expect in words where neither can say it: what you have not verified has not happened. Where the screen is slow, wait for a fact and not for a number of seconds. When something fails twice in the same way, try another way.`,
    `The task is done when finish is accepted: it needs checks that prove the result on the machine. When the task cannot be done, give_up and say why. When only the person can know or decide something, ask_person.`,
    untrustedRule,
    secrets.length > 0 &&
      `The person gave secrets. You know only their names: ${secrets.map((name) => `{{${name}}}`).join(', ')}. Write the name in braces where the value belongs, in typed text or in a command; it is put in on the way to the machine. Never try to learn or show a value.`,
    extra,
  ]
  return parts.filter(Boolean).join('\n\n')
}

export function taskText(goal: string): string {
  return `The task, from the person:\n<task>\n${goal}\n</task>`
}

/** What is said between turns, by whom. */
export function interjections(guidance: string[] | undefined, notes: string[] | undefined): string[] {
  return [
    ...(guidance ?? []).map((text) => `The person says:\n<person>\n${text}\n</person>`),
    ...(notes ?? []).map((text) => `Note from GodHand: ${text}`),
  ]
}

export const nudges = {
  noCall:
    'You called no tool, so nothing happened. Go on with the task. If it is done, call finish with checks that prove it; if it cannot be done, call give_up.',
  cut: 'Your answer was longer than allowed and was cut off; what was not complete was not done. Go on in smaller steps.',
  empty: 'Your answer was empty. Go on with the task, or call finish or give_up.',
}

/** After this many answers in a row that could not be used, going on would only cost money. */
export const USELESS_LIMIT = 5
