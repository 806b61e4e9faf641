import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { getConfig, validateConfiguration } from 'app-builder-lib/out/util/config/config.js'
import { DebugLogger } from 'builder-util'
import sharp from 'sharp'
import { describe, expect, it, vi } from 'vitest'
import { root } from './root.ts'

const read = async () => await getConfig(root, 'electron-builder.yml', null)
const validate = (config: Awaited<ReturnType<typeof read>>) => validateConfiguration(config, new DebugLogger(false))
const resource = (name: string) => readFileSync(path.join(root, 'build', 'resources', name))

describe('the installers’ configuration', () => {
  it('is what electron-builder itself accepts', async () => {
    vi.stubEnv('GODHAND_ASSETS', '/somewhere')
    await expect(validate(await read())).resolves.toBeUndefined()
    const wrong = { ...(await read()), electronFuses: { runAsNode: 'no' } }
    // @ts-expect-error: a fuse is on or off
    await expect(validate(wrong)).rejects.toThrow(/electronFuses/)
    vi.unstubAllEnvs()
  })

  it('names only files that exist or that a build makes', async () => {
    const text = readFileSync(path.join(root, 'electron-builder.yml'), 'utf8')
    const named = [...text.matchAll(/build\/[\w./*-]+\w/g)].map(([name]) => name)
    expect(named).toContain('build/resources/entitlements.mac.plist')
    for (const name of named) expect(globSync(name, { cwd: root }), name).not.toEqual([])
    const files = [...text.matchAll(/^ {2}- ([\w./*-]+)$/gm)].map(([, name = '']) => name)
    expect(files).toContain('dist/workers/**')
    for (const name of files.filter((file) => !file.startsWith('dist/')))
      expect(globSync(name, { cwd: root }), name).not.toEqual([])
  })

  it('seals the program: no plain Node, no debugger, no code from outside the archive', async () => {
    expect((await read()).electronFuses).toMatchObject({
      runAsNode: false,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      onlyLoadAppFromAsar: true,
      enableEmbeddedAsarIntegrityValidation: true,
    })
  })

  it('makes links and traces open with the app', async () => {
    const { protocols, fileAssociations } = await read()
    expect(protocols).toMatchObject([{ schemes: ['godhand'] }])
    expect(fileAssociations).toMatchObject([{ ext: 'ghtrace', role: 'Viewer' }])
  })

  it('lets QEMU use the hypervisor on a Mac', () => {
    expect(resource('entitlements.mac.plist').toString()).toMatch(/com\.apple\.security\.hypervisor<\/key>\s*<true\/>/)
  })

  it('asks before data is removed on Windows, and keeps it unless told otherwise', () => {
    const script = resource('installer.nsh').toString()
    expect(script).toContain('MB_DEFBUTTON2')
    expect(script).toContain('/SD IDNO')
    expect(script).toContain('isUpdated')
  })
})

describe('the icons', () => {
  it.each([
    ['icon.png', 512],
    ['tray.png', 32],
    ['tray@2x.png', 64],
    ['trayTemplate.png', 18],
    ['trayTemplate@2x.png', 36],
  ])('%s is a picture of %i pixels with something on it', async (name, size) => {
    const picture = sharp(resource(name))
    expect(await picture.metadata()).toMatchObject({ format: 'png', width: size, height: size, hasAlpha: true })
    const { channels } = await picture.stats()
    expect(channels[3]?.max).toBe(255)
  })

  it('for Windows hold every size as a whole picture', async () => {
    const file = resource('icon.ico')
    const sizes: number[] = []
    for (let index = 0; index < file.readUInt16LE(4); index++) {
      const [length, offset] = [file.readUInt32LE(6 + 16 * index + 8), file.readUInt32LE(6 + 16 * index + 12)]
      sizes.push((await sharp(file.subarray(offset, offset + length)).metadata()).width)
    }
    expect(sizes).toEqual([16, 24, 32, 48, 64, 128, 256])
  })

  it('for macOS hold every size as a whole picture', async () => {
    const file = resource('icon.icns')
    expect(file.readUInt32BE(4)).toBe(file.length)
    const sizes: number[] = []
    for (let at = 8; at < file.length; at += file.readUInt32BE(at + 4))
      sizes.push((await sharp(file.subarray(at + 8, at + file.readUInt32BE(at + 4))).metadata()).width)
    expect(sizes).toEqual([128, 256, 512, 1024])
  })
})

it('the packer stops with a reason when there is nothing to put in', () => {
  const beforePack: unknown = createRequire(import.meta.url)('./before-pack.cjs')
  if (typeof beforePack !== 'function') throw new Error('the packer’s hook is a function')
  vi.stubEnv('GODHAND_ASSETS', '')
  expect(() => beforePack()).toThrow(/GODHAND_ASSETS/)
  vi.stubEnv('GODHAND_ASSETS', path.join(root, 'nowhere'))
  expect(() => beforePack()).toThrow(/is not there/)
  vi.unstubAllEnvs()
})
