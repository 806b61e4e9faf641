import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { GodHandError } from '../main/contract/errors.ts'
import { firstGzipStream } from './apk-gzip.ts'
import { tarEntries } from './apk-tar.ts'

/** Public keys by the file name that signatures call them by. */
export type TrustedKeys = Map<string, KeyObject>

export async function readTrustedKeys(folder: string): Promise<TrustedKeys> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.pub'))
  const keys: TrustedKeys = new Map()
  for (const name of names) {
    const key = createPublicKey(await readFile(path.join(folder, name)))
    if (key.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= 2048) keys.set(name, key)
  }
  if (keys.size > 0) return keys
  throw new GodHandError('missing_prerequisite', `No key of Alpine’s is in ${folder}.`, {
    hint: 'Put Alpine’s public keys (*.rsa.pub) there; on an Alpine system they are in /etc/apk/keys.',
  })
}

const SIGNATURE_LIMIT = 64 * 1024
/** SHA-1 is what Alpine's index is still signed with; the newer forms are taken too. */
const DIGESTS: Record<string, string> = { RSA: 'sha1', RSA256: 'sha256', RSA512: 'sha512' }

/** What follows the signature at the beginning of an index, once a trusted key has signed all of it. */
export function verified(file: Buffer, keys: TrustedKeys, name: string): Buffer {
  const signature = firstGzipStream(file, SIGNATURE_LIMIT)
  const rest = file.subarray(signature.raw.length)
  const signers: string[] = []
  for (const entry of tarEntries(signature.content)) {
    const [, form = '', signer = ''] = /^\.SIGN\.(RSA\d*)\.([^/]+)$/.exec(entry.path) ?? []
    const digest = DIGESTS[form]
    if (!digest) continue
    signers.push(signer)
    const key = keys.get(signer)
    if (key && verify(digest, rest, key, entry.content)) return rest
  }
  const known = signers.some((signer) => keys.has(signer))
  throw new GodHandError(
    'corrupt',
    signers.length === 0
      ? `${name} is not signed.`
      : known
        ? `${name} is not what its signer signed.`
        : `${name} is signed by nobody who is trusted here (${signers.join(', ')}).`,
    { hint: 'Check the mirror and the folder of trusted keys.' },
  )
}
