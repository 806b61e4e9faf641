import type { Sandbox } from '../../../sandbox/sandbox.ts'
import { answer } from '../guest/run.ts'

export type FileFacts = { bytes: number; modified: number; mode: string; owner: string }

/** Where people, programs and settings leave their marks. Programs themselves are seen as packages. */
export const roots = ['/home', '/root', '/etc', '/tmp', '/opt', '/srv', '/usr/local', '/var/spool/cron', '/var/www']

/** What changes all the time by itself and tells nothing. */
export const pruned = [
  '*/.cache',
  '*/cache2',
  '*/startupCache',
  '*/datareporting',
  '*/saved-telemetry-pings',
  '*/sessionstore-backups',
  '*/storage',
  '/tmp/.*-unix',
  '/tmp/mozilla_*',
  '*/.git/objects',
  '*/node_modules',
]

const mostBytes = 12 * 1024 * 1024

/** Every file under the roots, by path. `complete` is false when there were too many to list. */
export async function listFiles(sandbox: Sandbox): Promise<{ files: Map<string, FileFacts>; complete: boolean }> {
  const prune = pruned.flatMap((pattern, n) => [...(n > 0 ? ['-o'] : []), '-path', pattern])
  const format = '%s\\t%T@\\t%m\\t%u\\t%p\\0'
  const find = ['find', ...roots, '-xdev', '(', ...prune, ')', '-prune', '-o', '-type', 'f', '-printf', format]
  // `find` fails when one root is missing or a file goes away while it looks; what it printed is still true.
  const list = await sandbox.execFile(['sudo', '-n', ...find], { timeoutMs: 60_000, maxOutputBytes: mostBytes })
  if (list.stdout === '' && list.exitCode !== 0)
    await answer(sandbox, find, { timeoutMs: 60_000, maxOutputBytes: mostBytes })
  return { files: parseFiles(list.stdout), complete: !list.truncated }
}

export function parseFiles(list: string): Map<string, FileFacts> {
  const files = new Map<string, FileFacts>()
  for (const entry of list.split('\0')) {
    const fields = /^(\d+)\t([\d.]+)\t(\d+)\t([^\t]*)\t(.+)$/s.exec(entry)
    if (fields?.[5])
      files.set(fields[5], {
        bytes: Number(fields[1]),
        modified: Number(fields[2]),
        mode: fields[3] ?? '',
        owner: fields[4] ?? '',
      })
  }
  return files
}
