import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { GodHandError } from '../contract/errors.ts'
import { safeFileName } from './safe-file-name.ts'
import { fetchFile, sendFile } from './transfer.ts'

let folder: string
let guestFiles: Map<string, Buffer>

/** A guest that answers whatever it is told to, as a hostile one might. */
const guest = {
  async writeFile(file: string, content: Buffer) {
    guestFiles.set(file, content)
  },
  async readFile(file: string) {
    const content = guestFiles.get(file)
    if (!content) throw new GodHandError('not_found', `Cannot read ${file}`)
    return content
  },
}

beforeEach(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'transfer-'))
  guestFiles = new Map()
})

afterEach(() => fs.rm(folder, { recursive: true, force: true }))

describe('sending a file', () => {
  it('puts the very bytes under the guest path, or under its own name in a guest folder', async () => {
    const file = path.join(folder, 'photo.png')
    await fs.writeFile(file, Buffer.from([0, 255, 10, 13]))
    await sendFile(guest, file, '/home/user/here.png')
    const sent = await sendFile(guest, file, '/home/user/')
    expect(sent.file).toBe('/home/user/photo.png')
    expect([...guestFiles.values()].map((content) => [...content])).toEqual([
      [0, 255, 10, 13],
      [0, 255, 10, 13],
    ])
  })

  it('does not follow a link, and does not send folders', async () => {
    await fs.writeFile(path.join(folder, 'secret'), 'secret')
    await fs.symlink(path.join(folder, 'secret'), path.join(folder, 'link'))
    await expect(sendFile(guest, path.join(folder, 'link'), '/tmp/x')).rejects.toThrow('not a plain file')
    await expect(sendFile(guest, folder, '/tmp/x')).rejects.toThrow('not a plain file')
    expect(guestFiles.size).toBe(0)
  })

  it('sends nothing of a file that is larger than the limit', async () => {
    await fs.writeFile(path.join(folder, 'big'), Buffer.alloc(11))
    await expect(sendFile(guest, path.join(folder, 'big'), '/tmp/x', 10)).rejects.toThrow('larger than the limit')
    expect(guestFiles.size).toBe(0)
  })

  it.each(['relative/file', '/home/../etc/passwd', '/a\0b'])('refuses the guest path %j', async (guestPath) => {
    await fs.writeFile(path.join(folder, 'f'), 'x')
    await expect(sendFile(guest, path.join(folder, 'f'), guestPath)).rejects.toThrow('not the full path')
  })
})

describe('fetching a file', () => {
  it('writes it into the folder with its name, for its owner alone', async () => {
    guestFiles.set('/home/user/report.txt', Buffer.from('done'))
    const got = await fetchFile(guest, '/home/user/report.txt', folder)
    expect(got).toMatchObject({ file: path.join(folder, 'report.txt'), bytes: 4 })
    expect(await fs.readFile(got.file, 'utf8')).toBe('done')
    if (process.platform !== 'win32') expect((await fs.stat(got.file)).mode & 0o777).toBe(0o600)
  })

  it('leaves what is there alone and gives the new file a number', async () => {
    await fs.writeFile(path.join(folder, 'report.txt'), 'mine')
    guestFiles.set('/r/report.txt', Buffer.from('theirs'))
    expect((await fetchFile(guest, '/r/report.txt', folder)).file).toBe(path.join(folder, 'report (1).txt'))
    expect(await fs.readFile(path.join(folder, 'report.txt'), 'utf8')).toBe('mine')
  })

  it('does not write through a link that lies in the folder', async () => {
    const outside = path.join(folder, 'outside')
    const inside = path.join(folder, 'inside')
    await fs.mkdir(inside)
    await fs.symlink(outside, path.join(inside, 'report.txt'))
    guestFiles.set('/report.txt', Buffer.from('theirs'))
    const { file } = await fetchFile(guest, '/report.txt', inside)
    expect(file).toBe(path.join(inside, 'report (1).txt'))
    await expect(fs.stat(outside)).rejects.toThrow()
  })

  it('keeps nothing of an answer that is larger than the limit', async () => {
    guestFiles.set('/big', Buffer.alloc(11))
    await expect(fetchFile(guest, '/big', folder, 10)).rejects.toThrow('larger than the limit')
    expect(await fs.readdir(folder)).toEqual([])
  })
})

describe('a name from the guest', () => {
  it.each([
    ['report.txt', 'report.txt'],
    ['..\\..\\evil.exe', '__.._evil.exe'],
    ['.bashrc', '_bashrc'],
    ['-rf', '_rf'],
    ['CON.txt', '_CON.txt'],
    ['photo\u202egnp.exe', 'photognp.exe'],
    ['a:b|c?.txt', 'a_b_c_.txt'],
    ['tail. . ', 'tail'],
    ['...', 'file'],
    ['Übersicht 報告.pdf', 'Übersicht 報告.pdf'],
  ])('%j becomes %j', (from, to) => {
    expect(safeFileName(from)).toBe(to)
  })

  it('is cut to what file systems take, with its ending kept', () => {
    const name = safeFileName(`${'報'.repeat(300)}.pdf`)
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(180)
    expect(name.endsWith('.pdf')).toBe(true)
  })
})
