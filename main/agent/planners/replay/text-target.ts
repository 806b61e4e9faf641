import type { Point } from '../../../contract/action.ts'
import { GodHandError } from '../../../contract/errors.ts'
import type { TextLine, Word } from '../../../contract/reading.ts'
import type { RawFrame } from '../../../sandbox/sandbox.ts'
import { findText } from '../../../screen/text/screen-text.ts'
import type { FindTarget } from './target.ts'

/** A click this far beside a word still meant the word. */
const reach = 24

export type ReadText = (frame: RawFrame) => Promise<TextLine[]>

/** By the words that were pointed at: survives another theme, another font and another place. */
export function findByText(readText: ReadText): FindTarget {
  return async ({ recorded, at, now }) => {
    const then = await readable(readText, recorded)
    const meant = then && wordsAt(then, at)
    const lines = meant && (await readable(readText, now))
    if (!lines) return null
    const [best] = [
      ...findText(lines, { text: meant.text, match: 'exact' }),
      ...findText(lines, { text: meant.text, match: 'fuzzy' }),
    ]
      .filter(({ score }) => score >= 0.8)
      .toSorted((a, b) => b.score - a.score || distance(a.box, at) - distance(b.box, at))
    if (!best) return null
    const into = (offset: number, from: number, to: number) => Math.round((offset / from) * to)
    return {
      at: {
        x: best.box.x + into(at.x - meant.box.x, meant.box.width, best.box.width),
        y: best.box.y + into(at.y - meant.box.y, meant.box.height, best.box.height),
      },
      by: 'text',
      what: meant.text,
    }
  }
}

/** Null where screens cannot be read: then there are other ways, or none. */
async function readable(readText: ReadText, frame: RawFrame): Promise<TextLine[] | null> {
  try {
    return await readText(frame)
  } catch (thrown) {
    if (thrown instanceof GodHandError && thrown.code === 'unsupported') return null
    throw thrown
  }
}

/** The line, when it is a label of few words; else the word. */
function wordsAt(lines: TextLine[], at: Point): Word | null {
  const near = lines
    .filter(({ box }) => distance(box, at) <= reach)
    .toSorted((a, b) => distance(a.box, at) - distance(b.box, at))
  const line = near[0]
  if (!line) return null
  if (line.words.length <= 4) return line
  const word = line.words.toSorted((a, b) => distance(a.box, at) - distance(b.box, at))[0]
  return word && distance(word.box, at) <= reach ? word : null
}

function distance(box: Word['box'], { x, y }: Point): number {
  const dx = Math.max(box.x - x, 0, x - box.x - box.width)
  const dy = Math.max(box.y - y, 0, y - box.y - box.height)
  return Math.hypot(dx, dy)
}
