/** Digits drawn as rectangles, because a host need not have fonts. Five rows of three pixels each, as bits. */
const glyphs = [
  [7, 5, 5, 5, 7],
  [2, 6, 2, 2, 7],
  [7, 1, 7, 4, 7],
  [7, 1, 7, 1, 7],
  [5, 5, 7, 1, 1],
  [7, 4, 7, 1, 7],
  [7, 4, 7, 5, 7],
  [7, 1, 1, 1, 1],
  [7, 5, 7, 5, 7],
  [7, 5, 7, 1, 7],
]

export const digit = { width: 3, height: 5 }

/** The number as an SVG path with its top left corner at 0, 0, in units of `unit` pixels. */
export function numberPath(value: number, x: number, y: number, unit: number): string {
  return [...String(value)]
    .map((character, place) => {
      const rows = glyphs[Number(character)] ?? []
      return rows
        .flatMap((row, line) =>
          [0, 1, 2].map((column) =>
            row & (4 >> column)
              ? `M${x + (place * (digit.width + 1) + column) * unit} ${y + line * unit}h${unit}v${unit}h-${unit}z`
              : '',
          ),
        )
        .join('')
    })
    .join('')
}
