import type { Region } from '../../contract/action.ts'
import type { TextLine, Word } from '../../contract/reading.ts'
import { lineOf } from './screen-text.ts'

/** Words that stand on one line next to each other, in reading order. A wide gap (a table's column) starts another line. */
export function linesOf(words: Word[]): TextLine[] {
  const lines: Word[][] = []
  for (const word of words.toSorted((a, b) => a.box.x - b.box.x)) {
    const line = lines.find((each) => {
      const last = each.at(-1)
      return (
        last &&
        sameRow(last.box, word.box) &&
        word.box.x - (last.box.x + last.box.width) < widestGap(last.box, word.box)
      )
    })
    if (line) line.push(word)
    else lines.push([word])
  }
  return lines.map(lineOf).toSorted((a, b) => a.box.y - b.box.y || a.box.x - b.box.x)
}

function widestGap(a: Region, b: Region): number {
  return Math.max(a.height, b.height) * 1.1
}

function sameRow(a: Region, b: Region): boolean {
  const middle = (box: Region) => box.y + box.height / 2
  const within = (y: number, box: Region) => y >= box.y - 2 && y <= box.y + box.height + 2
  const alike = Math.max(a.height, b.height) < 40 || Math.max(a.height, b.height) < 2 * Math.min(a.height, b.height)
  return alike && (within(middle(a), b) || within(middle(b), a))
}
