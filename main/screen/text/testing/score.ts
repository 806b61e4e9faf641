import type { Region } from '../../../contract/action.ts'
import type { TextLine, Word } from '../../../contract/reading.ts'
import type { KnownScreen } from './guest-screens.ts'

export type Score = { found: number; total: number; share: number; missed: string[] }

/** How many of the known words were read letter by letter, with every edge of their box within `slack` pixels. */
export function score(lines: TextLine[], known: KnownScreen['words'], slack = 6): Score {
  const read = lines.flatMap(({ words }) => words)
  const missed = known.filter((word) => !read.some((one) => one.text === word.text && close(one.box, word.box, slack)))
  const found = known.length - missed.length
  const nearest = (word: Word | { text: string; box: Region }) =>
    read.find((one) => close(one.box, word.box, slack))?.text ??
    read.find((one) => one.text === word.text)?.box ??
    lines.find(
      ({ box }) =>
        box.y <= word.box.y + 8 &&
        box.y + box.height >= word.box.y &&
        box.x <= word.box.x + 8 &&
        box.x + box.width > word.box.x,
    )?.text
  return {
    found,
    total: known.length,
    share: found / known.length,
    missed: missed.map((word) => `${word.text}@${word.box.x},${word.box.y} ⇒ ${JSON.stringify(nearest(word))}`),
  }
}

function close(a: Region, b: Region, slack: number): boolean {
  return (
    Math.abs(a.x - b.x) <= slack &&
    Math.abs(a.y - b.y) <= slack &&
    Math.abs(a.x + a.width - b.x - b.width) <= slack &&
    Math.abs(a.y + a.height - b.y - b.height) <= slack
  )
}
