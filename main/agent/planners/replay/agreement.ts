import type { Settle } from '../../../contract/task.ts'
import type { RawFrame } from '../../../sandbox/sandbox.ts'
import { area } from '../../../screen/boxes.ts'
import { diffFrames } from '../../../screen/diff.ts'

/** How alike two screens are. */
export type Agreement = {
  agrees: boolean
  share: number // of the pixels that differ, place by place
  colours: number // of the pixels that would have to change colour, wherever they are: a moved window changes none
}

/** A clock, a caret, a blinking light. */
const fewPixels = 0.03
/** What text and antialiasing make when the same things lie elsewhere. A dialog that is missing makes more. */
const fewColours = 0.04

export function compareScreens(recorded: RawFrame, now: RawFrame): Agreement {
  if (recorded.width !== now.width || recorded.height !== now.height) return { agrees: false, share: 1, colours: 1 }
  const { share } = diffFrames(recorded, now)
  if (share <= fewPixels) return { agrees: true, share, colours: 0 }
  const colours = colourDistance(recorded, now)
  return { agrees: colours <= fewColours, share, colours }
}

/** Both screens as counts of colours of four bits a channel; half the difference is what would have to be repainted. */
function colourDistance(a: RawFrame, b: RawFrame): number {
  const counts = new Int32Array(4096)
  const pixels = a.width * a.height
  for (const [frame, sign] of [
    [a, 1],
    [b, -1],
  ] as const)
    for (let at = 0; at < pixels * 3; at += 3) {
      const colour =
        (((frame.rgb[at] ?? 0) >> 4) << 8) | (((frame.rgb[at + 1] ?? 0) >> 4) << 4) | ((frame.rgb[at + 2] ?? 0) >> 4)
      counts[colour] = (counts[colour] ?? 0) + sign
    }
  return counts.reduce((sum, count) => sum + Math.abs(count), 0) / 2 / pixels
}

/** Why what an action did to the screen is not what it did in the recording, or null. */
export function effectDiffers(
  recorded: Settle | null,
  now: Settle | null,
  screen: { width: number; height: number },
): string | null {
  if (!recorded?.changed || !now) return null
  const before = changedArea(recorded) / (screen.width * screen.height)
  if (before < 0.005) return null // a caret says nothing
  if (!now.changed) return 'it changed the screen in the recording, and changed nothing now'
  const after = changedArea(now) / (screen.width * screen.height)
  return after < before / 5
    ? `it changed ${percent(before)} of the screen in the recording, and ${percent(after)} now`
    : null
}

function changedArea({ boxes }: Settle): number {
  return boxes.reduce((sum, box) => sum + area(box), 0)
}

export function percent(share: number): string {
  return `${share < 0.1 ? (share * 100).toFixed(1) : Math.round(share * 100)} %`
}
