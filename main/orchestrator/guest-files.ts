import path from 'node:path'
import { GodHandError } from '../contract/errors.ts'
import type { GuestFile, GuestFolder } from '../contract/guest-files.ts'
import { safeFileName } from '../sandbox/safe-file-name.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { checkGuestPath, DEFAULT_TRANSFER_LIMIT } from '../sandbox/transfer.ts'

const MOST_FILES = 2000
const kinds: Record<string, GuestFile['kind']> = { f: 'file', d: 'folder' }

/** Names can hold anything but a slash and a zero byte, so zero bytes part them. */
export async function listFolder(sandbox: Pick<Sandbox, 'execFile'>, folder: string): Promise<GuestFolder> {
  const place = folder === '/' ? '/' : `${checkGuestPath(folder.replace(/\/+$/, ''))}/`
  const { exitCode, stdout, stderr, truncated } = await sandbox.execFile(
    ['find', place, '-mindepth', '1', '-maxdepth', '1', '-printf', '%Y %s %T@ %f\\0'],
    { timeoutMs: 20_000, maxOutputBytes: 1024 * 1024 },
  )
  const said = stdout.split('\0').filter(Boolean)
  if (exitCode !== 0 && said.length === 0)
    throw new GodHandError('not_found', `Cannot look into ${folder} in the guest.`, {
      hint: stderr.trim().split('\n')[0] ?? '',
    })
  const files = said.flatMap(readEntry).sort(foldersFirst)
  return {
    path: path.posix.normalize(folder),
    files: files.slice(0, MOST_FILES),
    more: truncated || files.length > MOST_FILES,
  }
}

function readEntry(entry: string): GuestFile[] {
  const [, kind = '', bytes = '', seconds = '', name = ''] = /^(\S+) (\d+) ([\d.]+) (.+)$/s.exec(entry) ?? []
  if (!name) return []
  const modifiedAt = new Date(Number(seconds) * 1000).toISOString()
  return [{ name, kind: kinds[kind] ?? 'other', bytes: Number(bytes), modifiedAt }]
}

function foldersFirst(a: GuestFile, b: GuestFile): number {
  return Number(b.kind === 'folder') - Number(a.kind === 'folder') || a.name.localeCompare(b.name)
}

export type FetchedFile = { name: string; content: Buffer }

/** One plain file out of the guest. What is no file (a pipe would never end) is refused before it is read. */
export async function readGuestFile(
  sandbox: Pick<Sandbox, 'execFile' | 'readFile'>,
  file: string,
): Promise<FetchedFile> {
  const source = checkGuestPath(file)
  const { exitCode } = await sandbox.execFile(['test', '-f', source], { timeoutMs: 20_000 })
  if (exitCode !== 0) throw new GodHandError('not_found', `There is no file ${source} in the guest.`)
  return {
    name: safeFileName(path.posix.basename(source)),
    content: await sandbox.readFile(source, DEFAULT_TRANSFER_LIMIT),
  }
}
