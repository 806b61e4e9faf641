import { readText } from '../screen/text/read-text.ts'
import { findText } from '../screen/text/screen-text.ts'
import type { LocateText } from '../trace/export/redact-picture.ts'

/** Letters reach a little beyond the box they were read in. */
const margin = 4

/** Where patterns stand in a picture. A misread letter must not uncover a name, so plain text may be a little off. */
export const locateText: LocateText = async (frame, patterns) => {
  const lines = await readText(frame)
  const lower = lines.map((line) => ({
    ...line,
    text: line.text.toLowerCase(),
    words: line.words.map((word) => ({ ...word, text: word.text.toLowerCase() })),
  }))
  const found = patterns.flatMap(({ text, match }) =>
    match === 'regex'
      ? [...findText(lines, { text, match }), ...findText(lower, { text, match })]
      : ['contains' as const, 'fuzzy' as const].flatMap((way) =>
          findText(lower, { text: text.toLowerCase(), match: way }),
        ),
  )
  return found.map(({ box }) => {
    const [x, y] = [Math.max(0, box.x - margin), Math.max(0, box.y - margin)]
    return { x, y, width: box.x + box.width + margin - x, height: box.y + box.height + margin - y }
  })
}
