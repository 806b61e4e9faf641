import { chmod, mkdir, mkdtemp, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { execa } from 'execa'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findSystemQemu } from './qemu-bundle.ts'
import { libraryClosure, neededLibraries } from './qemu-elf.ts'
import { parseQemuVersion } from './qemu-install.ts'
import { type BundledFile, contentKey, intactManifest, listFiles, MANIFEST, recipeKey } from './qemu-manifest.ts'
import { wrapperScript } from './qemu-wrapper.ts'

let folder: string
const at = (...parts: string[]) => path.join(folder, ...parts)
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'godhand bundle-'))
})
afterEach(() => rm(folder, { recursive: true }))

describe('needed libraries', () => {
  test.runIf(process.platform === 'linux')('of the running Node include the C library', async () => {
    expect(await neededLibraries(process.execPath)).toContain('libc.so.6')
  })

  test('are followed from library to library, each once, round a circle too', async () => {
    await writeElf('program', ['libone.so', 'libc.so'])
    await writeElf('libone.so', ['libtwo.so', 'libc.so'])
    await writeElf('libtwo.so', ['libone.so', 'libc.so'])
    await writeElf('libc.so', [])
    await writeElf('libunused.so', ['libc.so'])
    const closure = await libraryClosure([at('program')], async (name) => at(name))
    expect([...closure.keys()].sort()).toEqual(['libc.so', 'libone.so', 'libtwo.so'])
    expect(closure.get('libtwo.so')).toBe(at('libtwo.so'))
  })

  test('that no package has stop the build by name', async () => {
    await writeElf('program', ['liblost.so'])
    await expect(libraryClosure([at('program')], async () => undefined)).rejects.toThrow(/liblost\.so/)
  })

  test('are not looked for in what is no ELF file, or half of one', async () => {
    await writeFile(at('script'), `#!/bin/sh\n${'#'.repeat(100)}`)
    await expect(neededLibraries(at('script'))).rejects.toMatchObject({ code: 'corrupt' })
    await writeElf('cut', ['libc.so'])
    await truncate(at('cut'), 100)
    await expect(neededLibraries(at('cut'))).rejects.toMatchObject({ code: 'corrupt' })
  })
})

describe('the key of a bundle', () => {
  const file = (name: string, content: string, executable = false): BundledFile => ({
    path: name,
    sha256: recipeKey(content),
    size: content.length,
    executable,
  })
  const files = [file('bin/qemu', 'x', true), file('lib/libc.so', 'y')]

  test('does not depend on the order of files', () => {
    expect(contentKey([...files].reverse())).toBe(contentKey(files))
  })

  test('changes with a name, a content or a mode', () => {
    const others = [
      [file('bin/qemu', 'x', true), file('lib/libd.so', 'y')],
      [file('bin/qemu', 'x', true), file('lib/libc.so', 'z')],
      [file('bin/qemu', 'x', true), file('lib/libc.so', 'y', true)],
      [file('bin/qemu', 'x', true)],
    ]
    expect(new Set([files, ...others].map(contentKey)).size).toBe(5)
  })

  test('is the same for a copy in another place, made at another time', async () => {
    for (const copy of ['a', 'b']) {
      await mkdir(at(copy, 'bin'), { recursive: true })
      await writeFile(at(copy, 'bin', 'qemu'), 'x', { mode: 0o755 })
      await writeFile(at(copy, 'data'), 'y')
    }
    const [a, b] = [await listFiles(at('a')), await listFiles(at('b'))]
    expect(a.map((each) => each.path)).toEqual(['bin/qemu', 'data'])
    expect(contentKey(a)).toBe(contentKey(b))
  })
})

describe('a bundle', () => {
  const recipe = recipeKey('recipe')
  beforeEach(async () => {
    await mkdir(at('bin'))
    await writeFile(at('bin', 'qemu'), 'program', { mode: 0o755 })
    await writeFile(at('firmware'), 'bytes')
    const files = await listFiles(folder)
    const manifest = { recipe, qemuVersion: '10.0.1', packages: [], files, key: contentKey(files) }
    await writeFile(at(MANIFEST), JSON.stringify(manifest))
  })

  test('is intact as it was made', async () => {
    expect((await intactManifest(folder, recipe))?.qemuVersion).toBe('10.0.1')
  })

  test('is not when a file is missing, cut short or no longer executable', async () => {
    await truncate(at('firmware'), 2)
    expect(await intactManifest(folder, recipe)).toBeUndefined()
    await writeFile(at('firmware'), 'bytes')
    expect(await intactManifest(folder, recipe)).toBeDefined()
    await chmod(at('bin', 'qemu'), 0o644)
    expect(await intactManifest(folder, recipe)).toBeUndefined()
    await rm(at('bin', 'qemu'))
    expect(await intactManifest(folder, recipe)).toBeUndefined()
  })

  test('is not when another recipe made it, or its manifest is no manifest', async () => {
    expect(await intactManifest(folder, recipeKey('other'))).toBeUndefined()
    await writeFile(at(MANIFEST), '{"recipe":')
    expect(await intactManifest(folder, recipe)).toBeUndefined()
  })
})

test('a QEMU’s version is read from distributions’ and plain builds', () => {
  expect(parseQemuVersion('QEMU emulator version 10.0.13 (Debian 1:10.0.13+ds-0+deb13u1)\nCopyright')).toBe('10.0.13')
  expect(parseQemuVersion('qemu-img version 11.1\n')).toBe('11.1')
  expect(parseQemuVersion('hello 1.2')).toBeUndefined()
})

describe('the script that starts a bundled program', () => {
  /** Stands where the loader does and shows how it was called. */
  async function bundleIn(home: string): Promise<string> {
    await mkdir(path.join(home, 'bin'), { recursive: true })
    await mkdir(path.join(home, 'loader'))
    const loader = path.join(home, 'loader', 'qemu-system-x86_64')
    await writeFile(loader, '#!/bin/sh\necho "$$ [$LD_PRELOAD]"\nprintf "%s\\n" "$@"\n', { mode: 0o755 })
    const script = path.join(home, 'bin', 'qemu-system-x86_64')
    await writeFile(script, wrapperScript('qemu-system-x86_64'), { mode: 0o755 })
    return script
  }

  test('finds its folder after a move, keeps the process id and passes arguments whole', async () => {
    await bundleIn(at('before'))
    await rename(at('before'), at('af ter'))
    const running = execa(at('af ter', 'bin', 'qemu-system-x86_64'), ['-name', 'two words'], {
      env: { LD_PRELOAD: '', CDPATH: '/usr' },
    })
    const lines = (await running).stdout.split('\n')
    expect(lines[0]).toBe(`${running.pid} []`)
    expect(lines).toContain(at('af ter', 'lib'))
    expect(lines.slice(-4)).toEqual(['-L', at('af ter', 'share', 'qemu'), '-name', 'two words'])
  })

  test('works through a symbolic link and by a relative path', async () => {
    const script = await bundleIn(at('home'))
    await execa('ln', ['-s', script, at('link')])
    expect((await execa(at('link'))).stdout).toContain(at('home', 'share', 'qemu'))
    const relative = await execa('bin/qemu-system-x86_64', { cwd: at('home'), env: { CDPATH: tmpdir() } })
    expect(relative.stdout).toContain(at('home', 'share', 'qemu'))
  })
})

describe('a QEMU of the person’s choice', () => {
  async function fakeQemu(version: string): Promise<void> {
    await writeFile(at('bios-256k.bin'), 'bios')
    const script = `#!/bin/sh\n[ "$1" = -L ] && printf '%s\\n' /nowhere '${folder}' || echo 'QEMU emulator version ${version}'\n`
    for (const name of ['qemu-system-x86_64', 'qemu-img']) await writeFile(at(name), script, { mode: 0o755 })
  }

  test('is none when nothing was chosen', async () => {
    expect(await findSystemQemu('')).toBeUndefined()
    expect(await findSystemQemu('bundle')).toBeUndefined()
  })

  test('is found by its folder or its path, with its firmware and a key that follows its content', async () => {
    await fakeQemu('10.2.0')
    const found = await findSystemQemu(folder)
    expect(found).toMatchObject({ system: at('qemu-system-x86_64'), img: at('qemu-img'), dataDir: folder })
    expect(found).toMatchObject({ version: '10.2.0', origin: 'system' })
    expect(await findSystemQemu(at('qemu-system-x86_64'))).toEqual(found)
    await writeFile(at('bios-256k.bin'), 'another')
    expect((await findSystemQemu(folder))?.key).not.toBe(found?.key)
  })

  test('is refused with a way out when too old or not there', async () => {
    await fakeQemu('7.2.22')
    await expect(findSystemQemu(folder)).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining('7.2.22'),
      hint: expect.stringContaining('GODHAND_QEMU'),
    })
    await expect(findSystemQemu(at('nowhere'))).rejects.toMatchObject({ code: 'missing_prerequisite' })
  })
})

/** The least of an ELF file: a header, one loadable and one dynamic segment, and a string table. */
async function writeElf(name: string, needed: string[]): Promise<void> {
  const base = 0x400000
  const tableAt = 64 + 2 * 56
  const dynamicSize = (needed.length + 3) * 16
  const namesAt = tableAt + dynamicSize
  const names = Buffer.from(`\0${needed.map((each) => `${each}\0`).join('')}`, 'latin1')
  const elf = Buffer.alloc(namesAt + names.length)
  elf.write('\x7fELF\x02\x01\x01', 'latin1')
  elf.writeBigUInt64LE(64n, 32)
  elf.writeUInt16LE(56, 54)
  elf.writeUInt16LE(2, 56)
  const segment = (at: number, type: number, offset: number, size: number) => {
    elf.writeUInt32LE(type, at)
    elf.writeBigUInt64LE(BigInt(offset), at + 8)
    elf.writeBigUInt64LE(BigInt(base + offset), at + 16)
    elf.writeBigUInt64LE(BigInt(size), at + 32)
  }
  segment(64, 1, 0, elf.length)
  segment(64 + 56, 2, tableAt, dynamicSize)
  const entries: [number, number][] = [
    ...needed.map((each): [number, number] => [1, names.indexOf(`\0${each}\0`, 0, 'latin1') + 1]),
    [5, base + namesAt],
    [10, names.length],
    [0, 0],
  ]
  for (const [index, [tag, value]] of entries.entries()) {
    elf.writeBigInt64LE(BigInt(tag), tableAt + index * 16)
    elf.writeBigUInt64LE(BigInt(value), tableAt + index * 16 + 8)
  }
  names.copy(elf, namesAt)
  await writeFile(at(name), elf)
}
