import fs from 'node:fs/promises'

/** What a process alone holds in memory, not shared with any other. Null where the host cannot say. */
export async function privateMemory(pid: number | null): Promise<number | null> {
  const text = pid === null ? null : await fs.readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => null)
  if (text === null) return null
  const kilobytes = [...text.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB$/gm)].map((match) => Number(match[1]))
  return kilobytes.reduce((sum, value) => sum + value, 0) * 1024
}
