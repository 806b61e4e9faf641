import zlib from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { cpio, initramfs } from './initramfs.ts'

type Entry = { name: string; mode: number; mtime: number; data: Buffer }

/** Reads `newc` as the kernel's documentation describes it. */
function readCpio(archive: Buffer): Entry[] {
  const entries: Entry[] = []
  for (let at = 0; ; ) {
    expect(archive.toString('latin1', at, at + 6)).toBe('070701')
    const field = (index: number) =>
      Number.parseInt(archive.toString('latin1', at + 6 + index * 8, at + 14 + index * 8), 16)
    const nameStart = at + 110
    const dataStart = Math.ceil((nameStart + field(11)) / 4) * 4
    const name = archive.toString('utf8', nameStart, nameStart + field(11) - 1)
    if (name === 'TRAILER!!!') return entries
    entries.push({ name, mode: field(1), mtime: field(5), data: archive.subarray(dataStart, dataStart + field(6)) })
    at = Math.ceil((dataStart + field(6)) / 4) * 4
  }
}

describe('the cpio archive', () => {
  it('gives back what was put in, whatever the lengths', () => {
    const files = ['', 'a', 'ab', 'abc', 'abcd', 'abcde'].map((data, index) => ({
      path: `f${'x'.repeat(index)}`,
      mode: 0o100644,
      data,
    }))
    const read = readCpio(cpio(files))
    expect(read.map(({ name, data }) => [name, data.toString()])).toEqual(files.map(({ path, data }) => [path, data]))
  })

  it('is the same for the same entries in any order, and carries no time', () => {
    const entries = ['b', 'a/x', 'a', 'c'].map((path) => ({ path, mode: 0o40755 }))
    const archive = cpio(entries)
    expect(cpio(entries.toReversed())).toEqual(archive)
    expect(readCpio(archive).map(({ name, mtime }) => [name, mtime])).toEqual([
      ['a', 0],
      ['a/x', 0],
      ['b', 0],
      ['c', 0],
    ])
  })
})

describe('the initramfs', () => {
  it('holds an executable init and the modules in the order they must be loaded', async () => {
    const modules = [
      { name: 'zlib_first', data: Buffer.from('one') },
      { name: 'ext4', data: Buffer.from('two') },
    ]
    const entries = readCpio(zlib.zstdDecompressSync(await initramfs(Buffer.from('busybox'), modules)))
    const file = (name: string) => entries.find((entry) => entry.name === name)
    expect(file('init')?.mode).toBe(0o100755)
    expect(file('bin/busybox')?.data.toString()).toBe('busybox')
    expect(file('modules/order')?.data.toString()).toBe('zlib_first\next4\n')
    expect(file('modules/ext4.ko')?.data.toString()).toBe('two')
  })
})
