import type { Command } from './command.ts'

/** Those that fit the words, best first; all of them, as they are, where there are no words. */
export function findCommands(commands: readonly Command[], words: string): Command[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  if (wanted.length === 0) return [...commands]
  return commands
    .map((command, index) => ({ command, index, score: scoreOf(command, wanted) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .map(({ command }) => command)
}

/** Every word must be found; one at the start of the label says most, one among the keywords least. */
function scoreOf({ label, keywords }: Command, wanted: readonly string[]): number {
  const name = label.toLowerCase()
  const others = keywords.toLowerCase()
  let total = 0
  for (const [index, word] of wanted.entries()) {
    const score =
      index === 0 && name.startsWith(word)
        ? 8
        : startsAWord(name, word)
          ? 5
          : startsAWord(others, word)
            ? 3
            : name.includes(word)
              ? 2
              : isSpread(name, word)
                ? 1
                : 0
    if (score === 0) return 0
    total += score
  }
  return total
}

const startsAWord = (text: string, word: string): boolean => text.startsWith(word) || text.includes(` ${word}`)

/** The letters in order, with others between them: "tmtr" for "time travel". One or two letters fit too much that way. */
function isSpread(text: string, word: string): boolean {
  if (word.length < 3) return false
  let at = -1
  return [...word].every((letter) => {
    at = text.indexOf(letter, at + 1)
    return at >= 0
  })
}
