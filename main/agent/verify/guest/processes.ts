import type { Sandbox } from '../../../sandbox/sandbox.ts'
import { answer } from './run.ts'

export type GuestProcess = { pid: number; user: string; name: string; command: string }

/**
 * Everything that runs, the kernel's own threads and the dead that nobody has buried left out, and so are the processes of
 * our own connection, by which we ask.
 */
export async function listProcesses(sandbox: Sandbox): Promise<GuestProcess[]> {
  return parseProcesses(await answer(sandbox, ['ps', '-eo', 'pid=,ppid=,stat=,user:32=,comm:64=,args=', '-ww']))
}

const asking = /^sshd(-session)?$/

export function parseProcesses(list: string): GuestProcess[] {
  const rows = list.split('\n').flatMap((line) => {
    const fields = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(\S.{63}) (.*)$/.exec(line)
    if (!fields) return []
    const [, pid, parent, state = '', user = '', name = '', command = ''] = fields
    return [{ pid: Number(pid), parent: Number(parent), state, user, name: name.trim(), command: command.trim() }]
  })
  const byPid = new Map(rows.map((row) => [row.pid, row]))
  const isOurs = (pid: number): boolean => {
    const row = byPid.get(pid)
    return row !== undefined && (asking.test(row.name) || isOurs(row.parent))
  }
  return rows
    .filter(({ pid, parent, state }) => !state.startsWith('Z') && pid !== 2 && parent !== 2 && !isOurs(pid))
    .map(({ pid, user, name, command }) => ({ pid, user, name, command }))
}

/** By the name people use: what the kernel calls it (cut at 15 letters), or the file that was started. */
export function isCalled(process: GuestProcess, name: string): boolean {
  const [program = '', script = ''] = process.command.split(' ')
  const file = (path: string) => path.slice(path.lastIndexOf('/') + 1)
  return (
    process.name === name ||
    (name.length > 15 && process.name === name.slice(0, 15)) ||
    file(program) === name ||
    program === name ||
    (/^(ba|da|z)?sh$|^python[\d.]*$|^perl$|^node$|^ruby$/.test(file(program)) && file(script) === name)
  )
}
