import type { Region } from '../../contract/action.ts'
import type { InkRun } from './ink-runs.ts'

/** So many letters must be there to tell: a few stand in a grid by chance. */
const enough = 20
/** Fewer will do where lines around have the same cells, and all of them together have so many. */
const fewest = 8
const enoughTogether = 60
/** How far away such lines may be, in heights. */
const around = 12
/** How far from a whole number of cells a step is on average: letters stand not quite in the middle of their cells. */
const loose = 0.13

type Line = { runs: InkRun[]; region: Region }

/**
 * The width of each line's cells, where letters stand in cells of one width, as in a terminal. Then a space is an empty cell,
 * however much room a full stop or a bracket leaves around itself. Null where they do not, or are too few to tell.
 */
export function pitchesOf(lines: Line[]): (number | null)[] {
  const own = lines.map(({ runs, region }) => pitchOf(runs, region.height))
  return lines.map(({ runs, region }, n) => {
    const pitch = own[n]
    if (!pitch || runs.length >= enough) return pitch ?? null
    const together = lines.reduce((sum, other, at) => {
      const near = Math.abs(other.region.y - region.y) < region.height * around
      return near && Math.abs((own[at] ?? 0) - pitch) <= 0.3 ? sum + other.runs.length : sum
    }, 0)
    return together >= enoughTogether ? pitch : null
  })
}

function pitchOf(runs: InkRun[], height: number): number | null {
  if (runs.length < fewest) return null
  let best: { pitch: number; off: number } | null = null
  for (let pitch = Math.max(4, Math.round(height * 0.4)); pitch <= height * 1.3; pitch += 0.25) {
    const off = offGrid(runs, pitch)
    if (off !== null && off < loose && (!best || off < best.off)) best = { pitch, off }
  }
  return best?.pitch ?? null
}

export function fits(runs: InkRun[], pitch: number): boolean {
  return (offGrid(runs, pitch) ?? 0) < loose
}

/** The mean distance of the steps between neighbours from whole cells, in cells. Null when most letters would be cells apart. */
function offGrid(runs: InkRun[], pitch: number): number | null {
  let sum = 0
  let single = 0
  for (let n = 1; n < runs.length; n++) {
    const cells = stepBetween(runs[n - 1], runs[n], pitch) / pitch
    const whole = Math.max(1, Math.round(cells))
    if (whole === 1) single++
    sum += Math.abs(cells - whole)
  }
  return single * 2 < runs.length - 1 ? null : sum / (runs.length - 1)
}

/** From the middle of the last cell of one to the middle of the first cell of the next: letters that touch are one run. */
export function stepBetween(before: InkRun | undefined, after: InkRun | undefined, pitch: number): number {
  if (!before || !after) return pitch
  const half = (run: InkRun) => {
    const width = run.right - run.left + 1
    return width / (2 * Math.max(1, Math.round(width / pitch)))
  }
  return after.left + half(after) - (before.right + 1 - half(before))
}
