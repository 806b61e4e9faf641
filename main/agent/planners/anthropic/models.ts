import type { ViewLimit } from '../../../screen/view.ts'

/** What a model of Anthropic's accepts. Read off its name, so that the next one of a known family works at once. */
export type Traits = {
  computer: 'computer_toolset_20260801' | 'computer_20251124' | 'computer_20250124'
  beta: string | null // the header the older computer tools need
  view: ViewLimit
  thinking: 'adaptive' | 'budget'
  /** Thinking is tied to what stood before it: changed history makes it worthless, and the request an error. */
  boundThinking: boolean
  contextTokens: number
}

export const DEFAULT_MODEL = 'claude-opus-5-5'

const patches = (count: number) => ({ size: 28, count })
const standard: ViewLimit = { longEdge: 1568, patches: patches(1568) }
/** The high tier takes 2576 px, but not once a request holds more than 20 pictures, and a task soon does. */
const high: ViewLimit = { longEdge: 2000, patches: patches(4784) }

export function traitsOf(model: string): Traits {
  const [family, version] = parse(model)
  const modern = version >= 4.8
  const middle = version >= 4.6 || (family === 'opus' && version >= 4.5)
  return {
    computer: modern ? 'computer_toolset_20260801' : middle ? 'computer_20251124' : 'computer_20250124',
    beta: modern ? null : middle ? 'computer-use-2025-11-24' : 'computer-use-2025-01-24',
    view: version >= 4.7 && family !== 'unknown' ? high : standard,
    thinking: version >= 4.6 ? 'adaptive' : 'budget',
    boundThinking: version > 5,
    contextTokens: version >= 4.6 ? 1_000_000 : 200_000,
  }
}

/** A name nobody knows is taken for a new model, with the limits every model keeps. */
function parse(model: string): [family: string, version: number] {
  if (model === 'claude-mythos-preview') return ['mythos', 4.7]
  const found = /^claude-([a-z]+)-(\d+)(?:-(\d{1,2}))?(?:-\d{8})?$/.exec(model)
  if (!found) return ['unknown', 99]
  return [found[1] ?? 'unknown', Number(found[2]) + Number(found[3] ?? 0) / 10]
}
