import { readFileSync } from 'node:fs'

/** Whether a process with this number runs, ours or not. One that ended and was not fetched by its parent does not. */
export function isAlive(pid: number): boolean {
  if (statFields(pid)?.[0] === 'Z') return false
  try {
    process.kill(pid, 0)
    return true
  } catch (thrown) {
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM'
  }
}

/**
 * What sets a process apart from a later one that was given the same number: this boot and the tick it began at.
 * Null where the system does not tell (only Linux does, through /proc).
 */
export function processIdentity(pid: number): string | null {
  const startTick = statFields(pid)?.[19]
  if (startTick === undefined) return null
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${startTick}`
}

/** What follows the name in /proc/<pid>/stat: state first, the start at place 19. The name may hold spaces and brackets. */
function statFields(pid: number): string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return null
  }
}
