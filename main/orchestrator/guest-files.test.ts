import { describe, expect, it } from 'vitest'
import type { ExecResult } from '../contract/machine.ts'
import { listFolder, readGuestFile } from './guest-files.ts'

const guest = (over: Partial<ExecResult>) => {
  const asked: string[][] = []
  return {
    asked,
    execFile: async (argv: string[]) => {
      asked.push(argv)
      return { exitCode: 0, stdout: '', stderr: '', truncated: false, ...over }
    },
    readFile: async () => Buffer.from('content'),
  }
}

describe('a folder of the guest', () => {
  it('lists folders first, whatever the names hold', async () => {
    const stdout =
      'f 12 1763470800.5 b\nreak.txt\0d 4096 1763470800.0 zoo\0l 5 1763470800.0 nowhere\0f 0 1763470800.0 a b\0'
    const { files, more } = await listFolder(guest({ stdout }), '/home/user')
    expect(files.map(({ name, kind }) => [name, kind])).toEqual([
      ['zoo', 'folder'],
      ['a b', 'file'],
      ['b\nreak.txt', 'file'],
      ['nowhere', 'other'],
    ])
    expect(files[2]).toMatchObject({ bytes: 12, modifiedAt: '2025-11-18T13:00:00.500Z' })
    expect(more).toBe(false)
  })

  it('is refused with the guest’s own reason where it cannot be read', async () => {
    const stderr = 'find: ‘/root/’: Permission denied\n'
    await expect(listFolder(guest({ exitCode: 1, stderr }), '/root')).rejects.toMatchObject({
      code: 'not_found',
      hint: 'find: ‘/root/’: Permission denied',
    })
  })

  it('is named by a full path and nothing else', async () => {
    for (const path of ['-delete', 'home', '/home/../root', '/a\0b'])
      await expect(listFolder(guest({}), path)).rejects.toMatchObject({ code: 'bad_request' })
    const { asked, execFile } = guest({})
    await listFolder({ execFile }, '/')
    expect(asked[0]?.slice(0, 2)).toEqual(['find', '/'])
  })
})

describe('a file of the guest', () => {
  it('keeps a name that is safe here', async () => {
    expect(await readGuestFile(guest({}), '/home/user/.hidden:name')).toMatchObject({ name: '_hidden_name' })
  })

  it('is a plain file: a pipe or a folder is refused before it is read', async () => {
    await expect(readGuestFile(guest({ exitCode: 1 }), '/run/pipe')).rejects.toMatchObject({ code: 'not_found' })
  })
})
