import type { Region } from '../../contract/action.ts'
import type { RawFrame } from '../../sandbox/sandbox.ts'
import { area, joinTouching, touch, union } from '../boxes.ts'
import { diffFrames } from '../diff.ts'
import { crop } from '../frames.ts'
import { type DetectedLine, movedBy } from './detect.ts'
import type { Detector } from './models.ts'

/** How near to a change a line may be touched by it: what is drawn there may be a letter of it. */
const nearby = 24
/** How much of its surroundings the detector wants to see. */
const surroundings = 64
/** When more of the screen than this is to be searched, all of it is. */
const most = 0.6

/** Searches only where the screen has changed since the frame before; lines elsewhere stand where they stood. */
export function detectChanges(detect: Detector): Detector {
  let last: { frame: RawFrame; lines: DetectedLine[] } | null = null
  return async (frame) => {
    const known = last
    last = null // a search that fails leaves nothing behind
    const lines = known ? await update(detect, known, frame) : await detect(frame)
    last = { frame, lines }
    return lines
  }
}

type Known = { frame: RawFrame; lines: DetectedLine[] }

async function update(detect: Detector, known: Known, frame: RawFrame): Promise<DetectedLine[]> {
  const changed = diffFrames(known.frame, frame).boxes
  if (changed.length === 0) return known.lines
  const isTouched = ({ box }: DetectedLine) => changed.some((one) => touch(one, box, nearby))
  const touched = known.lines.filter(isTouched)
  const bands = joinTouching(
    changed.map((box) =>
      wholeRows(
        touched.filter((line) => touch(box, line.box, nearby)).reduce((sum, line) => union(sum, line.box), box),
        frame,
      ),
    ),
  )
  if (bands.reduce((sum, band) => sum + area(band), 0) > frame.width * frame.height * most) return detect(frame)
  const found = known.lines.filter((line) => !isTouched(line))
  for (const band of bands) {
    const lines = (await detect(crop(frame, band))).map((line) => movedBy(line, band))
    found.push(...lines.filter(isTouched))
  }
  return found
}

/** The whole width of the screen: a line is found from its beginning to its end. */
function wholeRows(box: Region, frame: RawFrame): Region {
  const y = Math.max(0, box.y - surroundings)
  return { x: 0, y, width: frame.width, height: Math.min(frame.height, box.y + box.height + surroundings) - y }
}
