import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'

/** Writes Alpine packages and indexes in their real format, as abuild does: gzip streams one after the other. */

export type TarItem = {
  path: string
  content?: string | Buffer
  type?: string
  target?: string
  mode?: number
  pax?: string
}

export type MadePackage = {
  name: string
  version: string
  depends?: string
  provides?: string
  priority?: number
  files?: TarItem[]
}

/** Made once: it takes long. */
const keyPair = (() => {
  let made: { publicKey: KeyObject; privateKey: KeyObject } | undefined
  return () => {
    made ??= generateKeyPairSync('rsa', { modulusLength: 2048 })
    return made
  }
})()

const KEY_NAME = 'tester@example.test-1.rsa.pub'

export class ApkRepository {
  readonly folder: string
  readonly keys: string
  #privateKey: KeyObject
  readonly #records: string[] = []

  private constructor(folder: string, privateKey: KeyObject) {
    this.folder = path.join(folder, 'main')
    this.keys = path.join(folder, 'keys')
    this.#privateKey = privateKey
  }

  static async make(folder: string): Promise<ApkRepository> {
    const { privateKey, publicKey } = keyPair()
    const repository = new ApkRepository(folder, privateKey)
    await mkdir(path.join(repository.folder, 'x86_64'), { recursive: true })
    await mkdir(repository.keys, { recursive: true })
    await writeFile(path.join(repository.keys, KEY_NAME), publicKey.export({ type: 'spki', format: 'pem' }))
    return repository
  }

  file(name: string): string {
    return path.join(this.folder, 'x86_64', name)
  }

  async add(each: MadePackage): Promise<void> {
    const { bytes, checksum } = this.#package(each)
    await writeFile(this.file(`${each.name}-${each.version}.apk`), bytes)
    this.addRecord({
      C: `Q1${checksum.toString('base64')}`,
      P: each.name,
      V: each.version,
      A: 'x86_64',
      S: `${bytes.length}`,
      I: '4096',
      T: `The package ${each.name}`,
      L: 'MIT',
      ...(each.priority ? { k: `${each.priority}` } : {}),
      ...(each.depends ? { D: each.depends } : {}),
      ...(each.provides ? { p: each.provides } : {}),
    })
  }

  addRecord(fields: Record<string, string>): void {
    this.#records.push(
      Object.entries(fields)
        .map(([key, value]) => `${key}:${value}`)
        .join('\n'),
    )
  }

  async writeIndex(form: 'RSA' | 'RSA256' = 'RSA'): Promise<void> {
    const index = gzipSync(
      tar([
        { path: 'DESCRIPTION', content: 'v1.0' },
        { path: 'APKINDEX', content: `${this.#records.join('\n\n')}\n\n` },
      ]),
    )
    await writeFile(this.file('APKINDEX.tar.gz'), Buffer.concat([this.#signature(index, form), index]))
  }

  /** From now on signs as somebody else under the same name. */
  becomeSomebodyElse(): void {
    this.#privateKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  }

  #package({ name, version, files = [] }: MadePackage): { bytes: Buffer; checksum: Buffer } {
    const data = gzipSync(tar(files))
    const datahash = createHash('sha256').update(data).digest('hex')
    const info = `# made by a test\npkgname = ${name}\npkgver = ${version}\narch = x86_64\ndatahash = ${datahash}\n`
    const control = gzipSync(tar([{ path: '.PKGINFO', content: info }], false))
    const checksum = createHash('sha1').update(control).digest()
    return { bytes: Buffer.concat([this.#signature(control, 'RSA'), control, data]), checksum }
  }

  /** Without the zero blocks at its end, so that the three parts together are one tar archive. */
  #signature(bytes: Buffer, form: 'RSA' | 'RSA256'): Buffer {
    const content = sign(form === 'RSA' ? 'sha1' : 'sha256', bytes, this.#privateKey)
    return gzipSync(tar([{ path: `.SIGN.${form}.${KEY_NAME}`, content }], false))
  }
}

export function tar(items: TarItem[], ended = true): Buffer {
  const blocks = items.flatMap((item) => [
    ...(item.pax === undefined ? [] : [entry({ path: 'pax', type: 'x', content: paxRecord('path', item.pax) })]),
    entry(item),
  ])
  return Buffer.concat([...blocks, ...(ended ? [Buffer.alloc(1024)] : [])])
}

function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`
  let length = rest.length + 1
  while (`${length}${rest}`.length !== length) length++
  return `${length}${rest}`
}

function entry({ path: name, content = '', type = '0', target = '', mode = 0o644 }: TarItem): Buffer {
  const body = Buffer.from(content)
  const header = Buffer.alloc(512)
  header.write(name, 0, 100)
  header.write(`${mode.toString(8).padStart(7, '0')}\0`, 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  header.write(`${body.length.toString(8).padStart(11, '0')}\0`, 124)
  header.write('00000000000\0', 136)
  header.fill(' ', 148, 156)
  header.write(type, 156)
  header.write(target, 157, 100)
  header.write('ustar\x0000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return Buffer.concat([header, body, Buffer.alloc((512 - (body.length % 512)) % 512)])
}
