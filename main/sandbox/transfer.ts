import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import { GodHandError } from '../contract/errors.ts'
import type { Transferred } from '../contract/machine.ts'
import { safeFileName } from './safe-file-name.ts'
import type { Sandbox } from './sandbox.ts'

export const DEFAULT_TRANSFER_LIMIT = 64 * 1024 * 1024

/**
 * Copies one file of the host into the guest. A link is not followed: what the person named is what is sent. A guest
 * path that ends in a slash is a folder, and the file keeps its name.
 */
export async function sendFile(
  sandbox: Pick<Sandbox, 'writeFile'>,
  hostFile: string,
  guestPath: string,
  limitBytes = DEFAULT_TRANSFER_LIMIT,
): Promise<Transferred> {
  const target = checkGuestPath(guestPath.endsWith('/') ? `${guestPath}${path.basename(hostFile)}` : guestPath)
  const content = await readPlainFile(hostFile, limitBytes)
  await sandbox.writeFile(target, content)
  return { file: target, bytes: content.length, sha256: sha256(content) }
}

/**
 * Copies one file of the guest into a folder of the host. The guest decides the content and, at most, the last part of
 * the name; nothing that is already there is touched, a taken name gets a number.
 */
export async function fetchFile(
  sandbox: Pick<Sandbox, 'readFile'>,
  guestPath: string,
  hostFolder: string,
  limitBytes = DEFAULT_TRANSFER_LIMIT,
): Promise<Transferred> {
  const source = checkGuestPath(guestPath)
  const name = safeFileName(path.posix.basename(source))
  const stat = await fs.stat(hostFolder).catch(() => null)
  if (!stat?.isDirectory())
    throw new GodHandError('bad_request', `${hostFolder} is not a folder.`, { hint: 'Name a folder that exists.' })
  const content = await sandbox.readFile(source, limitBytes)
  if (content.length > limitBytes) throw tooLarge(source, limitBytes)
  const file = await writeNewFile(hostFolder, name, content)
  return { file, bytes: content.length, sha256: sha256(content) }
}

export function checkGuestPath(guestPath: string): string {
  const bad =
    !guestPath.startsWith('/') ||
    guestPath.includes('\0') ||
    guestPath.length > 4096 ||
    guestPath.split('/').includes('..') ||
    path.posix.basename(guestPath) === ''
  if (bad)
    throw new GodHandError('bad_request', `“${guestPath}” is not the full path of a file in the guest.`, {
      hint: 'Write it from the root and without “..”: /home/user/report.txt',
    })
  return guestPath
}

async function readPlainFile(file: string, limitBytes: number): Promise<Buffer> {
  const named = await fs.lstat(file).catch((cause: unknown) => {
    throw new GodHandError('not_found', `There is no file ${file}.`, { cause })
  })
  const notPlain = () =>
    new GodHandError('bad_request', `${file} is not a plain file.`, {
      hint: 'Links, folders and devices are not sent. Name the file itself.',
    })
  if (!named.isFile()) throw notPlain()
  const handle = await fs.open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  try {
    // The path may have become something else since it was looked at.
    const opened = await handle.stat()
    if (!opened.isFile() || opened.ino !== named.ino || opened.dev !== named.dev) throw notPlain()
    if (opened.size > limitBytes) throw tooLarge(file, limitBytes)
    const content = await handle.readFile()
    if (content.length > limitBytes) throw tooLarge(file, limitBytes)
    return content
  } finally {
    await handle.close()
  }
}

/** Exclusive creation does not follow links either, so a link lying under the name is a taken name. */
async function writeNewFile(folder: string, name: string, content: Buffer): Promise<string> {
  const { name: stem, ext } = path.parse(name)
  for (let copy = 0; copy < 1000; copy++) {
    const file = path.join(folder, copy === 0 ? name : `${stem} (${copy})${ext}`)
    const handle = await fs.open(file, 'wx', 0o600).catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return null
      throw GodHandError.from(error)
    })
    if (!handle) continue
    try {
      await handle.writeFile(content)
      return file
    } catch (error) {
      await fs.rm(file, { force: true })
      throw GodHandError.from(error)
    } finally {
      await handle.close()
    }
  }
  throw new GodHandError('conflict', `${folder} already holds a thousand files named ${name}.`)
}

function tooLarge(file: string, limitBytes: number): GodHandError {
  return new GodHandError('bad_request', `${file} is larger than the limit of ${limitBytes} bytes.`)
}

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex')
