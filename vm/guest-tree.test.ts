import { mkdtemp, readFile, readlink, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { execa } from 'execa'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { inittab, writeGuestTree } from './guest-tree.ts'
import { type GuestFile, guestFiles } from './image-key.ts'
import { debian } from './recipes/debian.ts'

const ROOTFS = path.join(import.meta.dirname, 'guest/rootfs')

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'tree-'))
})
afterEach(() => rm(folder, { recursive: true }))

describe('the tree copied into the guest', () => {
  it('has the guest’s files with modes that do not depend on the checkout, and what follows from the recipe', async () => {
    const boot = {
      kernel: '',
      release: '6.1-test',
      initrd: Buffer.alloc(0),
      modules: [{ name: 'evdev', data: Buffer.from('module'), dependsOn: [] }],
    }
    const link: GuestFile = { path: 'etc/link', executable: false, target: 'hostname' }
    const sources = ['deb [arch=amd64 signed-by=/keys] http://mirror.invalid/debian trixie main']
    const files = [...(await guestFiles(ROOTFS)), link]
    await writeGuestTree(folder, { recipe: debian.desktop, apt: { sources }, boot, files })
    const mode = async (name: string) => (await stat(path.join(folder, name))).mode & 0o777
    const text = (name: string) => readFile(path.join(folder, name), 'utf8')

    expect(await mode('usr/lib/godhand/boot')).toBe(0o755)
    expect(await mode('etc/hosts')).toBe(0o644)
    expect(await mode('etc')).toBe(0o755)
    expect(await readlink(path.join(folder, 'etc/link'))).toBe('hostname')
    expect(await text('etc/godhand/modules')).toBe(`${debian.desktop.modules.boot.join('\n')}\n`)
    expect(await text('etc/apt/sources.list')).toBe('deb http://mirror.invalid/debian trixie main\n')
    expect(await text('usr/lib/modules/6.1-test/evdev.ko')).toBe('module')
    expect(await text('usr/lib/modules/6.1-test/modules.dep')).toBe('evdev.ko:\n')
  })

  it('starts every service of the recipe with a program that is there', async () => {
    const commands = debian.desktop.services.map(({ command }) => command)
    const lines = inittab(debian.desktop.services).split('\n')
    for (const command of commands) {
      expect(lines).toContain(`::respawn:${command}`)
      expect((await stat(path.join(ROOTFS, command))).mode & 0o100).not.toBe(0)
    }
  })

  it('has scripts that a plain shell can read', async () => {
    for (const { path: name, executable } of await guestFiles(ROOTFS))
      if (executable) await execa('sh', ['-n', path.join(ROOTFS, name)])
  })

  it('gives programs started over SSH the environment of those started on the screen', async () => {
    const profile = await readFile(path.join(ROOTFS, 'etc/profile.d/godhand.sh'), 'utf8')
    const sshd = await readFile(path.join(ROOTFS, 'etc/ssh/sshd_config'), 'utf8')
    const onScreen = profile.match(/\b[A-Z_]+=\S+/g)?.sort()
    const overSsh = /^SetEnv (.*)$/m.exec(sshd)?.[1]?.split(' ').sort()
    expect(overSsh).toEqual(onScreen)
  })
})
