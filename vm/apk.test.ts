import { mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Apk, apkData, openApk } from './apk.ts'
import { firstGzipStream } from './apk-gzip.ts'
import { alpineSource, firstMirror } from './apk-source.ts'
import { unpackApk } from './apk-unpack.ts'
import { ApkRepository, type MadePackage, tar } from './testing/apk-repository.ts'

let folder: string
let repository: ApkRepository
let server: http.Server
let requests: string[]

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'apk-'))
  repository = await ApkRepository.make(folder)
  requests = []
  server = http.createServer(async (request, response) => {
    requests.push(path.basename(request.url ?? ''))
    const bytes = await readFile(path.join(folder, request.url ?? '')).catch(() => null)
    response.writeHead(bytes ? 200 : 404).end(bytes)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})

afterEach(async () => {
  server.close()
  await rm(folder, { recursive: true, force: true })
})

function open(): Promise<Apk> {
  const { port } = server.address() as AddressInfo
  return openApk({
    repositories: [`http://127.0.0.1:${port}/main`],
    keys: repository.keys,
    cache: path.join(folder, 'cache'),
  })
}

async function openWith(packages: MadePackage[]): Promise<Apk> {
  for (const each of packages) await repository.add(each)
  await repository.writeIndex()
  return open()
}

const names = (packages: { name: string }[]) => packages.map(({ name }) => name)

describe('the index', () => {
  it.each(['RSA', 'RSA256'] as const)('is taken when a trusted key signed it (%s)', async (form) => {
    await repository.add({ name: 'hello', version: '1.0-r0' })
    await repository.writeIndex(form)
    expect(names((await open()).resolve(['hello']))).toEqual(['hello'])
  })

  it('is refused when one byte of it is another', async () => {
    await repository.add({ name: 'hello', version: '1.0-r0' })
    await repository.writeIndex()
    const file = repository.file('APKINDEX.tar.gz')
    const bytes = await readFile(file)
    const last = bytes.length - 1
    bytes[last] = (bytes[last] ?? 0) ^ 1
    await writeFile(file, bytes)
    await expect(open()).rejects.toThrow('not what its signer signed')
  })

  it('is refused when somebody else signed it under the same name', async () => {
    repository.becomeSomebodyElse()
    await repository.writeIndex()
    await expect(open()).rejects.toThrow('not what its signer signed')
  })

  it('is refused when nobody signed it, or nobody who is known', async () => {
    await writeFile(repository.file('APKINDEX.tar.gz'), gzipSync(tar([{ path: 'APKINDEX', content: '' }])))
    await expect(open()).rejects.toThrow('is not signed')
    await repository.writeIndex()
    for (const key of await readdir(repository.keys))
      await writeFile(path.join(repository.keys, `other-${key}`), await readFile(path.join(repository.keys, key)))
    await rm(path.join(repository.keys, 'tester@example.test-1.rsa.pub'))
    await expect(open()).rejects.toThrow('nobody who is trusted')
  })

  it('is not read without a single key', async () => {
    await rm(repository.keys, { recursive: true })
    await expect(open()).rejects.toMatchObject({ code: 'missing_prerequisite' })
  })

  it('is refused when it names a package by a path', async () => {
    repository.addRecord({ P: '../../evil', V: '1.0-r0', A: 'x86_64', S: '1', C: `Q1${'A'.repeat(27)}=` })
    await repository.writeIndex()
    await expect(open()).rejects.toThrow('makes no sense: ../../evil')
  })
})

describe('choosing packages', () => {
  it('brings what they need, by name, library and command, dependencies first', async () => {
    const apk = await openWith([
      { name: 'app', version: '2.0-r1', depends: 'so:libx.so.1 cmd:tool /bin/sh' },
      { name: 'libx', version: '1.4-r0', provides: 'so:libx.so.1=1.4.0', depends: 'musl' },
      { name: 'tools', version: '3-r0', provides: 'cmd:tool=3-r0' },
      { name: 'busybox', version: '1.37-r0', provides: '/bin/sh', depends: 'musl' },
      { name: 'musl', version: '1.2.5-r9' },
      { name: 'unrelated', version: '1-r0' },
    ])
    const chosen = names(apk.resolve(['app']))
    expect(chosen.toSorted()).toEqual(['app', 'busybox', 'libx', 'musl', 'tools'])
    expect(chosen.indexOf('musl')).toBeLessThan(chosen.indexOf('libx'))
    expect(chosen.at(-1)).toBe('app')
  })

  it('takes the newest version that everybody can live with', async () => {
    const apk = await openWith([
      { name: 'app', version: '1-r0', depends: 'lib plugin' },
      { name: 'plugin', version: '1-r0', depends: 'lib<2' },
      { name: 'lib', version: '1.9-r3' },
      { name: 'lib', version: '2.1-r0' },
    ])
    expect(apk.resolve(['app']).find(({ name }) => name === 'lib')?.version).toBe('1.9-r3')
    expect(apk.resolve(['lib'])[0]?.version).toBe('2.1-r0')
  })

  it('goes back on a choice that leads into a conflict', async () => {
    const apk = await openWith([
      { name: 'app', version: '1-r0', depends: 'cmd:editor other' },
      { name: 'fancy', version: '1-r0', provides: 'cmd:editor=1-r0', priority: 10, depends: '!other' },
      { name: 'plain', version: '1-r0', provides: 'cmd:editor=1-r0', priority: 1 },
      { name: 'other', version: '1-r0' },
    ])
    expect(names(apk.resolve(['app'])).toSorted()).toEqual(['app', 'other', 'plain'])
  })

  it('asks to be told which when a name is shared, and takes the one that is wanted anyway', async () => {
    const packages = [
      { name: 'app', version: '1-r0', depends: 'mail-server' },
      { name: 'postfix', version: '1-r0', provides: 'mail-server' },
      { name: 'exim', version: '1-r0', provides: 'mail-server' },
    ]
    const apk = await openWith(packages)
    expect(() => apk.resolve(['app'])).toThrow(/app needs mail-server: name one of exim, postfix/)
    expect(names(apk.resolve(['app', 'postfix'])).toSorted()).toEqual(['app', 'postfix'])
  })

  it('says what is missing and who needs it', async () => {
    const apk = await openWith([
      { name: 'app', version: '1-r0', depends: 'lib>=3' },
      { name: 'lib', version: '2-r0' },
    ])
    expect(() => apk.resolve(['app'])).toThrow('app needs lib>=3: no package provides it')
    expect(() => apk.resolve(['nothing'])).toThrow('nothing: no package provides it')
    expect(() => apk.resolve(['lib', '!lib'])).toThrow('not wanted')
  })

  it('lets packages need each other', async () => {
    const apk = await openWith([
      { name: 'a', version: '1-r0', depends: 'b' },
      { name: 'b', version: '1-r0', depends: 'a' },
    ])
    expect(names(apk.resolve(['a'])).toSorted()).toEqual(['a', 'b'])
  })

  it('copes with hundreds of packages that need hundreds of things', async () => {
    const count = 400
    const apk = await openWith(
      Array.from({ length: count }, (_, index) => ({
        name: `p${index}`,
        version: '1-r0',
        provides: `so:lib${index}.so=1`,
        depends: Array.from({ length: 30 }, (_, far) => `so:lib${Math.min(count - 1, index + far + 1)}.so`).join(' '),
      })),
    )
    expect(apk.resolve(['p0'])).toHaveLength(count)
  })
})

describe('downloading', () => {
  it('fetches each package once and keeps it', async () => {
    const apk = await openWith([
      { name: 'hello', version: '1.0-r0', files: [{ path: 'usr/bin/hello', content: 'hi' }] },
    ])
    await apk.download(['hello'])
    const [hello] = await apk.download(['hello'])
    expect(requests.filter((name) => name.endsWith('.apk'))).toEqual(['hello-1.0-r0.apk'])
    expect(await readFile(hello?.file ?? '')).toEqual(await readFile(repository.file('hello-1.0-r0.apk')))
  })

  it('fetches a package again that was damaged in the cache', async () => {
    const apk = await openWith([{ name: 'hello', version: '1.0-r0' }])
    const [hello] = await apk.download(['hello'])
    await writeFile(hello?.file ?? '', 'cut')
    await apk.download(['hello'])
    expect(requests.filter((name) => name.endsWith('.apk'))).toHaveLength(2)
  })

  it('refuses a package whose data is other than the signed index leads to', async () => {
    const apk = await openWith([{ name: 'hello', version: '1.0-r0', files: [{ path: 'a', content: 'good' }] }])
    const file = repository.file('hello-1.0-r0.apk')
    const bytes = await readFile(file)
    const signature = firstGzipStream(bytes, 1_000_000).raw.length
    const control = firstGzipStream(bytes.subarray(signature), 1_000_000).raw.length
    for (const [offset, message] of [
      [signature + 4, 'not the one in the index'], // a time nobody reads, but part of what is hashed
      [signature + control + 4, 'holds other data'],
      [bytes.length - 1, 'holds other data'],
    ] as const) {
      const changed = Buffer.from(bytes)
      changed[offset] = (changed[offset] ?? 0) ^ 1
      await writeFile(file, changed)
      await expect(apk.download(['hello'])).rejects.toThrow(message)
    }
    await writeFile(file, Buffer.concat([bytes, Buffer.from('more')]))
    await expect(apk.download(['hello'])).rejects.toThrow('larger than it may be')
    expect(await readdir(path.join(folder, 'cache'))).toEqual([])
  })

  it('refuses an older package in the place of a newer one', async () => {
    const apk = await openWith([
      { name: 'hello', version: '1.0-r0' },
      { name: 'hello', version: '2.0-r0' },
    ])
    await writeFile(repository.file('hello-2.0-r0.apk'), await readFile(repository.file('hello-1.0-r0.apk')))
    await expect(apk.download(['hello'])).rejects.toThrow(/hello.2\.0-r0/)
  })

  it('says what a mirror does not have', async () => {
    const apk = await openWith([{ name: 'hello', version: '1.0-r0' }])
    await rm(repository.file('hello-1.0-r0.apk'))
    await expect(apk.download(['hello'])).rejects.toThrow('is not there (404)')
  })
})

describe('unpacking', () => {
  const root = () => path.join(folder, 'root')

  async function unpack(files: Parameters<typeof tar>[0]): Promise<void> {
    await unpackApk(gzipSync(tar([{ path: '.', type: '5' }, ...files])), root())
  }

  beforeEach(() => mkdir(root()))

  it('writes files, folders and links as the package has them', async () => {
    const long = `usr/share/${'long/'.repeat(30)}file`
    const apk = await openWith([
      {
        name: 'hello',
        version: '1.0-r0',
        files: [
          { path: 'usr/', type: '5' },
          { path: 'usr/bin/hello', content: '#!/bin/sh\n', mode: 0o755 },
          { path: 'usr/bin/hi', type: '2', target: 'hello' },
          { path: 'usr/bin/same', type: '1', target: 'usr/bin/hello' },
          { path: 'short', pax: long, content: 'deep' },
        ],
      },
    ])
    const [hello] = await apk.download(['hello'])
    if (!hello) throw new Error('nothing came')
    await unpackApk(await apkData(hello), root())
    expect(await readFile(path.join(root(), 'usr/bin/same'), 'utf8')).toBe('#!/bin/sh\n')
    expect((await stat(path.join(root(), 'usr/bin/hello'))).mode & 0o777).toBe(0o755)
    expect(await readlink(path.join(root(), 'usr/bin/hi'))).toBe('hello')
    expect(await readFile(path.join(root(), long), 'utf8')).toBe('deep')
  })

  it.each(['../evil', '/evil', 'a/../../evil'])('refuses to write %s', async (name) => {
    await expect(unpack([{ path: name, content: 'evil' }])).rejects.toThrow('wants to write')
    expect(await readdir(folder)).not.toContain('evil')
  })

  it('follows a link out of the folder as the guest will: from its own root', async () => {
    await symlink(folder, path.join(root(), 'out'))
    await unpack([{ path: 'out/file', content: 'inside' }])
    expect(await readdir(folder)).not.toContain('file')
    expect(await readFile(path.join(root(), folder, 'file'), 'utf8')).toBe('inside')
  })

  it('does not write through a link of the same archive', async () => {
    await writeFile(path.join(folder, 'victim'), 'mine')
    await unpack([
      { path: 'link', type: '2', target: '../victim' },
      { path: 'link', content: 'theirs' },
    ])
    expect(await readFile(path.join(folder, 'victim'), 'utf8')).toBe('mine')
    expect(await readFile(path.join(root(), 'link'), 'utf8')).toBe('theirs')
  })

  it('does not make a hard link to a file outside', async () => {
    await writeFile(path.join(folder, 'victim'), 'mine')
    await expect(unpack([{ path: 'x', type: '1', target: '../victim' }])).rejects.toThrow('leads upwards')
    await symlink(folder, path.join(root(), 'out'))
    await expect(unpack([{ path: 'x', type: '1', target: 'out/victim' }])).rejects.toThrow('no file')
  })

  it('refuses devices, and gives up on links in a circle', async () => {
    await expect(unpack([{ path: 'dev/sda', type: '4' }])).rejects.toThrow('neither a file')
    await expect(
      unpack([
        { path: 'a', type: '2', target: 'b' },
        { path: 'b', type: '2', target: 'a' },
        { path: 'a/file', content: '' },
      ]),
    ).rejects.toThrow('circle')
  })
})

describe('where packages come from', () => {
  it('is what the person says, else what this system’s own apk uses', async () => {
    const file = path.join(folder, 'repositories')
    await writeFile(file, '# comment\n@edge http://mirror.test/alpine/edge/main\nhttp://other.test/alpine/v3.22/main\n')
    expect(await alpineSource({}, file)).toMatchObject({ mirror: 'http://mirror.test/alpine' })
    const said = { GODHAND_ALPINE_MIRROR: 'http://mine.test/alpine/', GODHAND_ALPINE_KEYS: '/keys' }
    expect(await alpineSource(said, file)).toEqual({ mirror: 'http://mine.test/alpine', keys: '/keys' })
    await expect(alpineSource({}, path.join(folder, 'none'))).rejects.toMatchObject({ code: 'missing_prerequisite' })
    expect(firstMirror('# http://commented.test/alpine/v3/main\n/media/cdrom/apks\n')).toBeUndefined()
  })
})
