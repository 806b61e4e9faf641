import { GodHandError } from '../../contract/errors.ts'
import type { RawFrame } from '../sandbox.ts'

const header = /^P6\s+(\d+)\s+(\d+)\s+255\s/

/** Reads the binary PPM that QEMU's screendump writes; its pixels are already packed RGB. */
export function parsePpm(file: Buffer): RawFrame {
  const match = header.exec(file.subarray(0, 64).toString('latin1'))
  if (!match) throw new GodHandError('machine_error', 'QEMU wrote a screenshot that is not a PPM picture.')
  const width = Number(match[1])
  const height = Number(match[2])
  const rgb = file.subarray(match[0].length, match[0].length + width * height * 3)
  if (rgb.length !== width * height * 3)
    throw new GodHandError('machine_error', 'QEMU wrote a screenshot that is cut short.')
  return { width, height, rgb }
}
