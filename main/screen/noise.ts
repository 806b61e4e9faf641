import { crc32 } from 'node:zlib'
import type { Region } from '../contract/action.ts'
import type { RawFrame } from '../sandbox/sandbox.ts'
import { area, contains, overlap, touch, union } from './boxes.ts'
import { diffFrames } from './diff.ts'
import { crop } from './frames.ts'

/**
 * What moves on a screen by itself: carets, clocks, spinners. One map a machine. Two kinds are learned:
 *  flipping  a small place that came back to a look it had before. Only looks already seen are ignored, so a letter
 *            typed where the caret was still counts as a change.
 *  restless  a small place that keeps changing to ever new looks. All its changes are ignored until it has been calm.
 * An action's own first effect on a place never counts: only what repeats without a further action does.
 */
type Place = {
  box: Region
  looks: Set<number>
  kind: 'candidate' | 'flipping' | 'restless'
  action: number // the action under way when it was last seen changing
  changes: number // without an action of their own
  idleNews: number // new looks that came while nobody acted
  chain: number // new looks in a row within one action
  chainFrom: number
  changedAt: number
}

const calmAfterMs = 3000
const chainGapMs = 1500

export class NoiseMap {
  private places: Place[] = []
  private action = 0
  private last: RawFrame | null = null

  /** To be called with the frame before an action: what changed since the last one did so by itself. */
  beginAction(before: RawFrame, now = performance.now()): void {
    this.action++
    if (this.last) this.noteIdle(this.last, before, now)
    this.last = null
  }

  /** To be called with the frame at rest after an action. */
  endAction(after: RawFrame): void {
    this.last = after
  }

  noteIdle(before: RawFrame, after: RawFrame, now = performance.now()): void {
    const { boxes } = diffFrames(before, after)
    for (const box of boxes) this.note(box, before, after, now, true)
  }

  /** A change during an action. */
  noteActing(box: Region, before: RawFrame, after: RawFrame, now = performance.now()): void {
    this.note(box, before, after, now, false)
  }

  isNoise(box: Region, frame: RawFrame, now = performance.now()): boolean {
    return this.places.some((place) => {
      if (place.kind === 'candidate' || !contains(padded(place.box), box)) return false
      if (place.kind === 'flipping') return place.looks.has(look(frame, place.box))
      return place.idleNews >= 3 || now - place.changedAt < calmAfterMs
    })
  }

  /** The places known to move by themselves. */
  regions(): Region[] {
    return this.places.filter((place) => place.kind !== 'candidate').map((place) => place.box)
  }

  private note(box: Region, before: RawFrame, after: RawFrame, now: number, idle: boolean): void {
    // A change much larger than the place means that something else stands there now.
    this.places = this.places.filter((place) => !(touch(place.box, box) && area(box) > 4 * area(padded(place.box))))
    if (area(box) > Math.max(4096, after.width * after.height * 0.02)) return
    let place = this.places.find((one) => overlap(padded(one.box), box) > 0.5 && overlap(box, one.box) > 0.3)
    if (!place) {
      place = {
        box,
        looks: new Set(),
        kind: 'candidate',
        action: -1,
        changes: 0,
        idleNews: 0,
        chain: 0,
        chainFrom: now,
        changedAt: now,
      }
      place.looks.add(look(before, box))
      this.places.push(place)
      if (this.places.length > 64) this.places.shift()
    } else if (!contains(place.box, box)) {
      // Another extent: the looks of the old one cannot be compared any more.
      place.box = union(place.box, box)
      place.looks = new Set([look(before, place.box)])
      if (place.kind === 'flipping') place.kind = 'candidate'
    }
    const repeated = place.action === this.action && now - place.changedAt <= chainGapMs
    const seen = look(after, place.box)
    const known = place.looks.has(seen)
    if (!repeated) {
      place.chain = 0
      place.chainFrom = now
    }
    if (idle || repeated) {
      place.changes++
      if (known && place.kind === 'candidate' && place.changes >= 2) place.kind = 'flipping'
      if (!known && idle) place.idleNews++
      if (!known && !idle) place.chain++
      if (place.idleNews >= 3 || (place.chain >= 4 && now - place.chainFrom >= 600)) place.kind = 'restless'
    }
    if (idle || repeated || place.kind === 'candidate') place.looks.add(seen)
    if (place.looks.size > 64) place.looks.delete(place.looks.values().next().value ?? 0)
    place.action = this.action
    place.changedAt = now
  }
}

function look(frame: RawFrame, box: Region): number {
  const width = Math.min(box.width, frame.width - box.x)
  const height = Math.min(box.height, frame.height - box.y)
  return width < 1 || height < 1 ? 0 : crc32(crop(frame, { ...box, width, height }).rgb)
}

function padded(box: Region): Region {
  return { x: box.x - 2, y: box.y - 2, width: box.width + 4, height: box.height + 4 }
}
