import type { Region } from '../../../contract/action.ts'
import { GodHandError } from '../../../contract/errors.ts'
import type { RawFrame } from '../../../sandbox/sandbox.ts'
import { overlap } from '../../../screen/boxes.ts'
import { diffFrames } from '../../../screen/diff.ts'
import { crop } from '../../../screen/frames.ts'
import { type Check, type Look, verdictOf } from '../probe.ts'

/** Channels may differ by so much before a pixel counts as different: fonts are not drawn alike to the last bit. */
const channelSlack = 16

export const regionEquals: Check<'region_equals'> = async (look, assertion) => {
  const { share, evidence } = await compare(look, assertion.frame, assertion.region)
  const differs = `${percent(share)} of the pixels differ from the reference`
  return verdictOf(share <= assertion.tolerance, `${differs}; ${percent(assertion.tolerance)} may.`, evidence)
}

export const regionDiffers: Check<'region_differs'> = async (look, assertion) => {
  const { share, evidence } = await compare(look, assertion.frame, assertion.region)
  const differs = `${percent(share)} of the pixels differ from the reference`
  return verdictOf(share > assertion.tolerance, `${differs}; more than ${percent(assertion.tolerance)} must.`, evidence)
}

export const screenChanged: Check<'screen_changed'> = async (look, assertion) => {
  const before = assertion.sinceFrame === undefined ? look.before : await stored(look, assertion.sinceFrame)
  if (!before) throw new GodHandError('bad_request', 'There is no earlier frame to compare the screen with.')
  const now = await look.screen()
  const { region } = assertion
  const boxes = diffFrames(before, now)
    .boxes.filter((box) => !region || overlap(region, box) > 0)
    .filter((box) => !look.noise?.isNoise(box, now))
  const summary =
    boxes.length > 0 ? `The screen has changed in ${boxes.length} place(s).` : 'The screen has not changed.'
  return verdictOf(boxes.length > 0, summary, { boxes: boxes.slice(0, 50) })
}

async function compare(look: Look, hash: string, region: Region | undefined) {
  const reference = await stored(look, hash)
  const now = await look.screen()
  if (reference.width !== now.width || reference.height !== now.height)
    return { share: 1, evidence: { share: 1, sizes: [size(reference), size(now)] } }
  const [a, b] = region ? [crop(reference, region), crop(now, region)] : [reference, now]
  const share = differingShare(a, b)
  return {
    share,
    evidence: { share, region: region ?? null, reference: hash, boxes: diffFrames(a, b).boxes.slice(0, 50) },
  }
}

async function stored(look: Look, hash: string): Promise<RawFrame> {
  const frame = await look.frame(hash)
  if (!frame) throw new GodHandError('not_found', `There is no stored frame ${hash}.`)
  return frame
}

export function differingShare(a: RawFrame, b: RawFrame): number {
  let differing = 0
  for (let at = 0; at < a.rgb.length; at += 3)
    for (let channel = 0; channel < 3; channel++)
      if (Math.abs((a.rgb[at + channel] ?? 0) - (b.rgb[at + channel] ?? 0)) > channelSlack) {
        differing++
        break
      }
  return differing / (a.width * a.height)
}

const size = (frame: RawFrame) => `${frame.width}×${frame.height}`
const percent = (share: number) => `${Number((share * 100).toFixed(2))} %`
