import { chmod, cp, mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { guestFiles, imageKey } from './image-key.ts'
import { debian } from './recipes/debian.ts'

let folder: string
const at = (name: string) => path.join(folder, name)
const key = async (recipe = debian.minimal) => imageKey(recipe, await guestFiles(at('tree')), [at('finish.sh')])

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'image-key-'))
  await mkdir(at('tree/etc'), { recursive: true })
  await writeFile(at('tree/etc/hostname'), 'desktop\n')
  await writeFile(at('tree/boot'), '#!/bin/sh\n', { mode: 0o755 })
  await symlink('hostname', at('tree/etc/link'))
  await writeFile(at('finish.sh'), 'true\n')
})
afterEach(() => rm(folder, { recursive: true }))

describe('the key of an image', () => {
  it('is the same for a copy elsewhere, whatever its times and the umask of the checkout', async () => {
    const before = await key()
    await cp(at('tree'), at('copy'), { recursive: true, verbatimSymlinks: true })
    await chmod(at('copy/etc/hostname'), 0o664)
    await chmod(at('copy/boot'), 0o775)
    await utimes(at('copy/boot'), 1, 1)
    expect(await imageKey(debian.minimal, await guestFiles(at('copy')), [at('finish.sh')])).toBe(before)
  })

  const changes: [string, () => Promise<void>][] = [
    ['a file’s content', () => writeFile(at('tree/etc/hostname'), 'other\n')],
    ['a file’s name', () => cp(at('tree/boot'), at('tree/boot2')).then(() => rm(at('tree/boot')))],
    ['a new empty file', () => writeFile(at('tree/etc/new'), '')],
    ['a file that may no longer be run', () => chmod(at('tree/boot'), 0o644)],
    ['a link’s target', () => rm(at('tree/etc/link')).then(() => symlink('other', at('tree/etc/link')))],
    ['the finishing script', () => writeFile(at('finish.sh'), 'false\n')],
  ]
  it.each(changes)('changes with %s', async (_, change) => {
    const before = await key()
    await change()
    expect(await key()).not.toBe(before)
  })

  it('changes with the recipe', async () => {
    const before = await key()
    expect(await key(debian.desktop)).not.toBe(before)
    expect(await key({ ...debian.minimal, commandLine: [...debian.minimal.commandLine, 'debug'] })).not.toBe(before)
  })
})
