import os from 'node:os'
import { GodHandError } from '../contract/errors.ts'
import type { Machine } from '../contract/machine.ts'

const MB = 1024 ** 2

/** Clones share what they have not changed; this much of its memory a machine is expected to make its own. */
const EXPECTED_SHARE = 0.4
/** QEMU itself: its heap and translated code. */
const OVERHEAD_MB = 100
/** After so long a machine has taken what it will. */
const GROWN_UP_MS = 5 * 60_000

export type HostMemory = { totalBytes: number; availableBytes: number }

export const hostMemory = (): HostMemory => ({ totalBytes: os.totalmem(), availableBytes: process.availableMemory() })

/** What is left to the host and its person: an eighth of the memory, at least 512 MB. */
export function reserveMb({ totalBytes }: HostMemory): number {
  return Math.max(512, Math.round(totalBytes / 8 / MB))
}

export const expectedMb = (memoryMb: number) => Math.round(memoryMb * EXPECTED_SHARE) + OVERHEAD_MB

/** What these machines have yet to take: a young one has not got all the memory it will, but it is its own all the same. */
export function promisedMb(machines: Machine[], now = Date.now()): number {
  return machines.reduce((sum, { memoryMb, createdAt }) => {
    const age = now - Date.parse(createdAt)
    return sum + expectedMb(memoryMb) * Math.max(0, 1 - age / GROWN_UP_MS)
  }, 0)
}

/** Whether a machine may stand ready for nobody yet: only where two more would still fit beside it. */
export function roomToSpare(memoryMb: number, host: HostMemory = hostMemory()): boolean {
  return host.availableBytes / MB - reserveMb(host) > 3 * expectedMb(memoryMb)
}

/** Refuses machines that would drive the host into swapping. `promisedMb` is what those running have yet to take. */
export function admit(wanted: number[], promisedMb: number, host: HostMemory = hostMemory()): void {
  const neededMb = wanted.reduce((sum, memoryMb) => sum + expectedMb(memoryMb), 0)
  const availableMb = Math.round(host.availableBytes / MB)
  const roomMb = availableMb - reserveMb(host) - promisedMb
  if (neededMb <= roomMb) return
  const fits = Math.max(0, Math.floor(roomMb / expectedMb(wanted[0] ?? 0)))
  throw new GodHandError(
    'capacity',
    `${wanted.length === 1 ? 'A machine' : `${wanted.length} machines`} would need about ${neededMb} MB of memory; ${Math.max(0, roomMb)} MB can be given.`,
    {
      hint: fits > 0 ? `There is room for ${fits}.` : 'Close other machines or programs, or make machines smaller.',
      details: { neededMb, roomMb, availableMb },
    },
  )
}
