import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { GodHandError } from '../main/contract/errors.ts'
import { type Provision, parseProvision } from './apk-dependency.ts'
import { tarEntries } from './apk-tar.ts'
import { isVersion } from './apk-version.ts'

const INDEX_LIMIT = 256 * 1024 * 1024

export type ApkPackage = {
  name: string
  version: string
  architecture: string
  size: number
  /** Of the package's control part, which in turn holds the hash of its data. */
  checksum: { algorithm: 'sha1' | 'sha256'; digest: Buffer }
  /** As they are written; see apk-dependency.ts. */
  dependencies: string[]
  provides: Provision[]
  priority: number
  /** Index of the repository it is from. */
  repository: number
}

/** Names and versions become parts of addresses and paths. */
const Name = z.string().regex(/^[A-Za-z0-9_][A-Za-z0-9_.+-]*$/)
const Record = z.object({
  P: Name,
  V: z.string().regex(/^[\w.+~-]+$/),
  A: z.string().regex(/^\w+$/),
  S: z.coerce.number().int().positive(),
  C: z.string().regex(/^Q[12][A-Za-z0-9+/]+=*$/),
  D: z.string().default(''),
  p: z.string().default(''),
  k: z.coerce.number().int().default(0),
})

/** `content` is what follows the signature, already checked. */
export function parseIndex(content: Buffer, repository: number): ApkPackage[] {
  const entries = [...tarEntries(gunzipSync(content, { maxOutputLength: INDEX_LIMIT }))]
  const index = entries.find(({ path }) => path === 'APKINDEX')
  if (!index) throw new GodHandError('corrupt', 'The package index holds no list of packages.')
  return index.content
    .toString('utf8')
    .split(/\n\n+/)
    .filter((record) => record.trim() !== '')
    .map((record) => parseRecord(record, repository))
    .filter(({ version }) => isVersion(version)) // what cannot be compared cannot be chosen
}

function parseRecord(text: string, repository: number): ApkPackage {
  const fields = Object.fromEntries(text.split('\n').map((line) => [line.slice(0, 1), line.slice(2)]))
  const parsed = Record.safeParse(fields)
  if (!parsed.success)
    throw new GodHandError('corrupt', `The package index holds a record that makes no sense: ${fields.P ?? '?'}.`, {
      cause: parsed.error,
    })
  const { P, V, A, S, C, D, p, k } = parsed.data
  const algorithm = C.startsWith('Q1') ? 'sha1' : 'sha256'
  const digest = Buffer.from(C.slice(2), 'base64')
  if (digest.length !== (algorithm === 'sha1' ? 20 : 32))
    throw new GodHandError('corrupt', `The package index holds a broken checksum for ${P}.`)
  return {
    name: P,
    version: V,
    architecture: A,
    size: S,
    checksum: { algorithm, digest },
    dependencies: words(D),
    provides: [{ name: P, version: V }, ...words(p).map(parseProvision)],
    priority: k,
    repository,
  }
}

const words = (text: string) => text.split(' ').filter((word) => word !== '')
