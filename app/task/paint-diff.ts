/** Below this, a difference of colour is noise nobody sees. */
const visible = 24

/** Writes the difference into `after` (red, green, blue, opacity): pale where nothing changed. Returns the changed share. */
export function paintDiff(before: Uint8ClampedArray, after: Uint8ClampedArray): number {
  let changed = 0
  for (let at = 0; at < after.length; at += 4) {
    const red = after[at] ?? 0
    const green = after[at + 1] ?? 0
    const blue = after[at + 2] ?? 0
    const difference =
      Math.abs(red - (before[at] ?? 0)) +
      Math.abs(green - (before[at + 1] ?? 0)) +
      Math.abs(blue - (before[at + 2] ?? 0))
    if (difference > visible) {
      changed += 1
      continue
    }
    const grey = 205 + (0.3 * red + 0.59 * green + 0.11 * blue) * 0.17
    after[at] = grey
    after[at + 1] = grey
    after[at + 2] = grey
  }
  return after.length === 0 ? 0 : changed / (after.length / 4)
}
