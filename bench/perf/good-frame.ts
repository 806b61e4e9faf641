import { setTimeout as delay } from 'node:timers/promises'
import type { RawFrame, Sandbox } from '../../main/sandbox/sandbox.ts'
import { diffFrames } from '../../main/screen/diff.ts'

const QUIET_MS = 1500

/** Shows the same desktop, whatever its clock says. */
export const looksLike = (wanted: RawFrame, frame: RawFrame) => diffFrames(wanted, frame).share < 0.02

/** The picture once nothing moves any more. */
export async function settledFrame(machine: Pick<Sandbox, 'capture'>): Promise<RawFrame> {
  let last = await machine.capture()
  let since = performance.now()
  const limit = since + 60_000
  while (performance.now() - since < QUIET_MS && performance.now() < limit) {
    await delay(100)
    const frame = await machine.capture()
    if (!frame.rgb.equals(last.rgb)) since = performance.now()
    last = frame
  }
  return last
}
