import type { Region } from '../../contract/action.ts'
import type { InkRun } from './ink-runs.ts'
import type { Letter } from './recognise.ts'

/** What the reader is less sure of than this, beside a letter it is sure of in the same ink, is an edge it took for a letter. */
const unsure = 0.6
const sure = 0.9

/** The letters of a strip without what the reader is known to get wrong. */
export function mendLetters(read: Letter[], runs: InkRun[], line: Region): Letter[] {
  return withUnderscores(withoutPhantoms(read, runs), runs, line)
}

function withoutPhantoms(read: Letter[], runs: InkRun[]): Letter[] {
  return read.filter((letter) => {
    if (letter.confidence >= unsure || isSpace(letter)) return true
    const run = runs.find((one) => isIn(letter, one))
    return !run || !read.some((other) => other.confidence >= sure && !isSpace(other) && isIn(other, run))
  })
}

/** The reader takes an underscore for a space. A thin stroke at the foot of the line with no letter in it is one. */
function withUnderscores(read: Letter[], runs: InkRun[], line: Region): Letter[] {
  const foot = line.y + line.height * 0.75
  const isStroke = ({ left, right, top, bottom }: InkRun) =>
    top >= foot && bottom - top < Math.max(2, line.height * 0.15) && right - left >= line.height * 0.3
  return runs.filter(isStroke).reduce((letters, stroke) => {
    if (letters.some((letter) => isIn(letter, stroke) && !isSpace(letter))) return letters
    const first = letters[0]
    const last = letters.at(-1)
    if (!first || !last || first.x >= stroke.left || last.x <= stroke.right) return letters
    const others = letters.filter((letter) => !isIn(letter, stroke))
    const underscore = { text: '_', x: (stroke.left + stroke.right) / 2, confidence: 0.8 }
    return [...others, underscore].toSorted((a, b) => a.x - b.x)
  }, read)
}

const isSpace = ({ text }: Letter) => text.trim() === ''

const isIn = ({ x }: Letter, { left, right }: InkRun) => x >= left - 1 && x <= right + 1
