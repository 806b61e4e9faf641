import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { LARGEST_ATTACHED } from '../contract/attachment.ts'
import { Attachments } from './attachments.ts'

let folder: string
let attachments: Attachments
const at = (...parts: string[]) => path.join(folder, ...parts)
const write = (name: string, text: string) => {
  writeFileSync(at(name), text)
  return at(name)
}

/** A guest that only remembers what was written into it. */
function guest() {
  const files: Record<string, string> = {}
  return {
    files,
    exec: async () => ({ exitCode: 0, stdout: '', stderr: '', truncated: false }),
    writeFile: async (place: string, content: Buffer) => {
      files[place] = content.toString()
    },
  }
}

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'godhand-attach-'))
  attachments = new Attachments(at('attached'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('brings a file into the guest as it was when it was attached', async () => {
  const { id, bytes } = await attachments.add(write('report.csv', 'a,b'), 'report.csv')
  expect(bytes).toBe(3)
  write('report.csv', 'changed since')
  const { files, ...sandbox } = guest()
  expect(await attachments.deliver([id], sandbox)).toEqual(['/home/user/Attached/report.csv'])
  expect(files).toEqual({ '/home/user/Attached/report.csv': 'a,b' })
})

it('gives two files of one name a place each', async () => {
  const one = await attachments.add(write('one', '1'), 'notes.txt')
  const two = await attachments.add(write('two', '2'), 'notes.txt')
  const { files, ...sandbox } = guest()
  await attachments.deliver([one.id, two.id], sandbox)
  expect(files).toEqual({ '/home/user/Attached/notes.txt': '1', '/home/user/Attached/notes (1).txt': '2' })
})

it.each([
  ['../../etc/passwd', 'passwd'],
  ['/etc/shadow', 'shadow'],
  ['..', 'file'],
  ['a\nb\0c.txt', 'abc.txt'],
  ['.bashrc', '_bashrc'],
])('takes nothing but a plain name from %j', async (name, kept) => {
  const attached = await attachments.add(write('x', 'x'), name)
  expect(attached.name).toBe(kept)
  expect(existsSync(at('attached', attached.id, kept))).toBe(true)
})

it('refuses what is too large, what is no file, and what was never attached', async () => {
  truncateSync(write('huge', ''), LARGEST_ATTACHED + 1)
  await expect(attachments.add(at('huge'), 'huge')).rejects.toMatchObject({ code: 'bad_request', hint: /64 MB/ })
  mkdirSync(at('folder'))
  await expect(attachments.add(at('folder'), 'folder')).rejects.toMatchObject({ code: 'bad_request' })
  symlinkSync('/etc/hostname', at('link'))
  await expect(attachments.add(at('link'), 'link')).rejects.toMatchObject({ code: 'bad_request' })
  await expect(attachments.check(['file_nothing'])).rejects.toMatchObject({ code: 'not_found' })
})

it('forgets what nobody came back for', async () => {
  const { id } = await attachments.add(write('x', 'x'), 'x')
  await attachments.sweep(Date.now() + 6 * 24 * 60 * 60_000)
  await attachments.check([id])
  await attachments.sweep(Date.now() + 8 * 24 * 60 * 60_000)
  await expect(attachments.check([id])).rejects.toMatchObject({ code: 'not_found' })
})
