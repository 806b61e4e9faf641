import type { Region } from '../../contract/action.ts'
import type { Assertion } from '../../contract/assertion.ts'
import type { Settle } from '../../contract/task.ts'

/** What a planner expects in words. No mechanism understands them: what they quote can be looked for, the rest cannot. */

const MOST_QUOTES = 5
const quotes = [
  /“([^“”]{2,200})”/g,
  /"([^"]{2,200})"/g,
  /«([^«»]{2,200})»/g,
  /`([^`]{2,200})`/g,
  /(?<!\w)'([^']{2,200})'(?!\w)/g,
]

/** That what is quoted can be read on the screen. Nothing quoted: nothing can be checked. */
export function checksInWords(words: string): Assertion[] {
  const texts = quotes.flatMap((quote) => [...words.matchAll(quote)].map(([, text = '']) => text.trim()))
  const fit = [...new Set(texts)].filter((text) => text.length > 1).slice(0, MOST_QUOTES)
  return fit.map((text) => ({ check: 'text_visible', text, match: 'contains' }))
}

export function unprovenNotice(words: string, change: string): string {
  return `Expected in words, and checked by no mechanism: “${words}”. ${change}`.trim()
}

type Size = { width: number; height: number }

/** Whether and where something happened on the screen, in words: empty when nobody looked. */
export function describeChange(settle: Pick<Settle, 'changed' | 'boxes'> | null, screen: Size): string {
  if (!settle) return ''
  return settle.changed ? `The screen changed${whereOn(settle.boxes, screen)}.` : 'Nothing changed on the screen.'
}

/** ` at the top left and in the middle`, or nothing when no place is known. */
export function whereOn(boxes: Region[], screen: Size): string {
  const places = [...new Set(boxes.map((box) => placeOf(box, screen)))]
  const last = places.pop()
  if (last === undefined) return ''
  return ` ${places.length > 0 ? `${places.join(', ')} and ${last}` : last}`
}

function placeOf({ x, y, width, height }: Region, screen: Size): string {
  if (width * height > 0.6 * screen.width * screen.height) return 'nearly everywhere'
  const third = (at: number, size: number) => Math.min(2, Math.floor((3 * at) / size))
  const row = third(y + height / 2, screen.height)
  const column = third(x + width / 2, screen.width)
  if (row === 1 && column === 1) return 'in the middle'
  return `at the ${[['top', '', 'bottom'][row], ['left', '', 'right'][column]].filter(Boolean).join(' ')}`
}
