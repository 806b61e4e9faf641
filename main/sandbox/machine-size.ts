import os from 'node:os'

const GB = 1024 ** 3

/** A machine's size by the host's: a laptop with little memory must stay usable. */
export function machineSizeFor(host = { memoryBytes: os.totalmem(), cpus: os.availableParallelism() }) {
  const memoryMb = host.memoryBytes < 4 * GB ? 512 : host.memoryBytes < 8 * GB ? 1024 : 2048
  return { memoryMb, cpus: Math.max(1, Math.min(2, host.cpus)) }
}
