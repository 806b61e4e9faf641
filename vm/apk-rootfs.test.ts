import { chmod, mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Progress } from '../main/contract/progress.ts'
import { apkArguments, fetchAlpine, installAlpine } from './apk-rootfs.ts'
import { type AlpineRecipe, alpine } from './recipes/alpine.ts'
import { debian } from './recipes/debian.ts'
import { ApkRepository } from './testing/apk-repository.ts'

let folder: string
let server: http.Server
let repository: ApkRepository

const recipe: AlpineRecipe = {
  ...alpine.minimal,
  branch: 'v1',
  repositories: ['main'],
  packages: ['desktop'],
  kernel: 'linux-virt',
  links: { 'usr/lib/xorg/Xorg': '../../libexec/Xorg' },
}

/** Stands for apk.static: says what it was told, and that it installs, as the real one does. */
const INSTALLER = `#!/bin/sh
echo "$@" > "$(dirname "$0")/../../told"
echo "(1/2) Installing musl (1.2.5-r9)"
echo "(2/2) Installing desktop (1.0-r0)"
[ ! -e "$(dirname "$0")/../../fail" ] || { echo "ERROR: unable to select packages"; exit 1; }
`

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'apk-rootfs-'))
  repository = await ApkRepository.make(path.join(folder, 'v1'))
  await repository.add({ name: 'desktop', version: '1.0-r0', depends: 'so:libc.musl-x86_64.so.1' })
  await repository.add({ name: 'musl', version: '1.2.5-r9', provides: 'so:libc.musl-x86_64.so.1=1' })
  await repository.add({ name: 'linux-virt', version: '6.12.1-r0', depends: 'mkinitfs' })
  await repository.add({
    name: 'apk-tools-static',
    version: '2.14-r0',
    files: [{ path: 'sbin/apk.static', content: INSTALLER, mode: 0o755 }],
  })
  await repository.writeIndex()
  server = http.createServer(async (request, response) => {
    const bytes = await readFile(path.join(folder, request.url ?? '')).catch(() => null)
    response.writeHead(bytes ? 200 : 404).end(bytes)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})

afterEach(async () => {
  server.close()
  await rm(folder, { recursive: true, force: true })
})

async function fetched() {
  const { port } = server.address() as AddressInfo
  return fetchAlpine(recipe, {
    source: { mirror: `http://127.0.0.1:${port}`, keys: repository.keys },
    cache: path.join(folder, 'cache'),
    onProgress: () => {},
  })
}

async function making(onProgress: (progress: Progress) => void) {
  const scratch = path.join(folder, 'scratch')
  await mkdir(scratch, { recursive: true })
  return { keys: repository.keys, scratch, root: path.join(scratch, 'root'), asRoot: [], onProgress }
}

it('fetches the guest’s packages with what they need, and of the kernel only itself', async () => {
  const { guest, kernel, installer } = await fetched()
  expect(guest.map(({ name }) => name)).toEqual(['musl', 'desktop'])
  expect([kernel.name, installer.name]).toEqual(['linux-virt', 'apk-tools-static'])
})

it('installs offline from a folder with the signed index and the checked packages', async () => {
  const seen: Progress[] = []
  const { scratch, ...rest } = await making((progress) => seen.push(progress))
  await installAlpine(recipe, await fetched(), { scratch, ...rest })
  const mirror = path.join(scratch, 'repository/main/x86_64')
  expect((await readdir(mirror)).toSorted()).toEqual(['APKINDEX.tar.gz', 'desktop-1.0-r0.apk', 'musl-1.2.5-r9.apk'])
  expect(await readFile(path.join(mirror, 'APKINDEX.tar.gz'))).toEqual(
    await readFile(repository.file('APKINDEX.tar.gz')),
  )
  const told = await readFile(path.join(scratch, 'told'), 'utf8')
  expect(told).toContain('--no-network')
  expect(told).toContain(`--repository ${path.join(scratch, 'repository/main')}`)
  expect(told.trim().endsWith('add --initdb desktop')).toBe(true)
  expect(seen.at(-1)).toMatchObject({ done: 2, total: 2, detail: 'desktop' })
  expect(await readlink(path.join(rest.root, 'usr/lib/xorg/Xorg'))).toBe('../../libexec/Xorg')
})

it('says what apk said last when it fails', async () => {
  const options = await making(() => {})
  await writeFile(path.join(options.scratch, 'fail'), '')
  await chmod(path.join(options.scratch, 'fail'), 0o644)
  await expect(installAlpine(recipe, await fetched(), options)).rejects.toMatchObject({
    code: 'image_build_failed',
    details: { output: expect.stringContaining('unable to select packages') },
  })
})

it('never lets apk work unsigned', () => {
  const args = apkArguments(recipe, { program: 'apk', root: '/r', repository: '/m', keys: '/k' })
  expect(args).not.toContain('--allow-untrusted')
  expect(args).toContain('/k')
})

it('is the same guest as Debian’s: same services, same devices, same disk', () => {
  for (const variant of ['desktop', 'minimal'] as const) {
    expect(alpine[variant].services).toEqual(debian[variant].services)
    expect(alpine[variant].modules.boot).toEqual(debian[variant].modules.boot)
    expect(alpine[variant].diskBytes).toBe(debian[variant].diskBytes)
  }
})
