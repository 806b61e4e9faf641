import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { GodHandError } from '../main/contract/errors.ts'
import type { OnProgress } from '../main/contract/progress.ts'
import { type ApkPackage, parseIndex } from './apk-index.ts'
import { checkedData } from './apk-package.ts'
import { resolveApk } from './apk-resolve.ts'
import { readTrustedKeys, verified } from './apk-signature.ts'

export type ApkOptions = {
  /** Base addresses, each above <architecture>/APKINDEX.tar.gz. The first that has a package wins. */
  repositories: string[]
  /** Folder with the public keys that may sign an index. */
  keys: string
  architecture?: string
  /** Where indexes and packages are kept between builds. */
  cache: string
  onProgress?: OnProgress | undefined
  signal?: AbortSignal | undefined
}

export type DownloadedApk = ApkPackage & { file: string }

export interface Apk {
  /** These packages and all they depend on, dependencies first. */
  resolve(packages: string[]): ApkPackage[]
  /** Fetches what `resolve` names, and checks each against the signed index. Safe to repeat. */
  download(packages: string[]): Promise<DownloadedApk[]>
  /** Fetches just these, and nothing they depend on. */
  downloadOnly(packages: string[]): Promise<DownloadedApk[]>
  /** The signed index of each repository as it came, for apk itself in the build. */
  readonly indexes: Buffer[]
}

const INDEX_LIMIT = 64 * 1024 * 1024
const ATTEMPTS = 3

/** Alpine's packages without Alpine's tools. Nothing is believed that a trusted key has not signed for. */
export async function openApk(options: ApkOptions): Promise<Apk> {
  const { repositories, cache, onProgress, signal, architecture = 'x86_64' } = options
  const keys = await readTrustedKeys(options.keys)
  const packages: ApkPackage[] = []
  const indexes: Buffer[] = []
  for (const [number, repository] of repositories.entries()) {
    onProgress?.({ step: 'Reading the list of packages', done: number, total: repositories.length })
    const address = `${repository}/${architecture}/APKINDEX.tar.gz`
    const index = await fetchBytes(address, INDEX_LIMIT, signal)
    packages.push(...parseIndex(verified(index, keys, 'The package index'), number))
    indexes.push(index)
  }

  const fetchAll = async (wanted: ApkPackage[]): Promise<DownloadedApk[]> => {
    await mkdir(cache, { recursive: true })
    const done: DownloadedApk[] = []
    for (const each of wanted) {
      onProgress?.({ step: 'Downloading packages', done: done.length, total: wanted.length, detail: each.name })
      const file = path.join(cache, `${each.name}-${each.version}.apk`)
      if (!(await isSound(file, each))) {
        const address = `${repositories[each.repository]}/${architecture}/${path.basename(file)}`
        const bytes = await fetchBytes(address, each.size, signal)
        checkedData(bytes, each)
        await writeFile(`${file}.new`, bytes)
        await rename(`${file}.new`, file)
      }
      done.push({ ...each, file })
    }
    return done
  }

  return {
    indexes,
    resolve: (wanted) => resolveApk(wanted, packages),
    download: (wanted) => fetchAll(resolveApk(wanted, packages)),
    downloadOnly: (wanted) =>
      fetchAll(
        wanted.map((name) => {
          const found = resolveApk([name], packages.map(withoutDependencies))[0]
          const whole = packages.find((each) => each.name === found?.name && each.version === found.version)
          if (!whole) throw new GodHandError('image_build_failed', `Alpine has no package ${name}.`)
          return whole
        }),
      ),
  }
}

const withoutDependencies = (each: ApkPackage): ApkPackage => ({ ...each, dependencies: [] })

/** The checked data of a downloaded package, for unpacking. */
export async function apkData(downloaded: DownloadedApk): Promise<Buffer> {
  return checkedData(await readFile(downloaded.file), downloaded)
}

async function isSound(file: string, wanted: ApkPackage): Promise<boolean> {
  const bytes = await readFile(file).catch(() => null)
  if (!bytes) return false
  try {
    checkedData(bytes, wanted)
    return true
  } catch {
    return false // cut off or changed: fetched anew
  }
}

async function fetchBytes(address: string, limitBytes: number, signal?: AbortSignal): Promise<Buffer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await fetchOnce(address, limitBytes, signal)
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof GodHandError || attempt === ATTEMPTS)
        throw error instanceof GodHandError
          ? error
          : new GodHandError('image_build_failed', `${address} could not be fetched.`, {
              cause: error,
              hint: 'Check the network connection and the mirror, then run it again; what has arrived is kept.',
            })
      await setTimeout(200 * 2 ** attempt)
    }
  }
}

async function fetchOnce(address: string, limitBytes: number, signal?: AbortSignal): Promise<Buffer> {
  const response = await fetch(address, signal ? { signal } : {})
  if (!response.ok || !response.body) {
    await response.body?.cancel()
    if (response.status >= 500) throw new Error(`the server answered ${response.status}`)
    throw new GodHandError('image_build_failed', `${address} is not there (${response.status}).`)
  }
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body) {
    length += chunk.length
    if (length > limitBytes) throw new GodHandError('corrupt', `${address} is larger than it may be.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
