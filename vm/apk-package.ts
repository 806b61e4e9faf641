import { createHash } from 'node:crypto'
import { GodHandError } from '../main/contract/errors.ts'
import { firstGzipStream } from './apk-gzip.ts'
import type { ApkPackage } from './apk-index.ts'
import { tarEntries } from './apk-tar.ts'

const CONTROL_LIMIT = 32 * 1024 * 1024

/**
 * The data part of a package file, once every link of the chain holds: the signed index names the hash of the control
 * part, the control part names the hash of the data, and both say that this is the package that was asked for.
 */
export function checkedData(file: Buffer, wanted: ApkPackage): Buffer {
  const bad = (what: string) =>
    new GodHandError('corrupt', `The package ${wanted.name} ${wanted.version} ${what}.`, {
      hint: 'Run it again; if it stays so, the mirror is broken or not to be trusted.',
    })
  if (file.length !== wanted.size) throw bad('is not as long as the index says')
  const signature = firstGzipStream(file, CONTROL_LIMIT)
  const signed = [...tarEntries(signature.content)].some(({ path }) => path.startsWith('.SIGN.'))
  const afterSignature = signed ? file.subarray(signature.raw.length) : file
  const control = firstGzipStream(afterSignature, CONTROL_LIMIT)
  const { algorithm, digest } = wanted.checksum
  if (!createHash(algorithm).update(control.raw).digest().equals(digest)) throw bad('is not the one in the index')
  const about = packageInfo(control.content)
  if (about.get('pkgname') !== wanted.name || about.get('pkgver') !== wanted.version)
    throw bad('says that it is another one')
  const data = afterSignature.subarray(control.raw.length)
  if (createHash('sha256').update(data).digest('hex') !== about.get('datahash'))
    throw bad('holds other data than it says')
  return data
}

/** .PKGINFO: `key = value` lines. */
function packageInfo(control: Buffer): Map<string, string> {
  const entry = [...tarEntries(control)].find(({ path }) => path === '.PKGINFO')
  const lines = entry?.content.toString('utf8').split('\n') ?? []
  return new Map(
    lines.flatMap((line) => {
      const [, key, value] = /^(\w+) = (.*)$/.exec(line) ?? []
      return key !== undefined && value !== undefined ? [[key, value] as const] : []
    }),
  )
}
