import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { GodHandError } from '../main/contract/errors.ts'
import type { OnProgress } from '../main/contract/progress.ts'
import { chooseMirrors, type Mirrors } from './apt-mirror.ts'
import { runTool } from './apt-run.ts'

export type AptOptions = {
  /** Holds this apt's configuration, lists and cache. A second process that uses it waits its turn. */
  folder: string
  /** For example trixie, trixie-updates, trixie-security. A `-security` suite is taken from the security mirror. */
  suites: string[]
  /** Debian's name of the architecture; amd64 when not given. */
  architecture?: string
  onProgress?: OnProgress | undefined
  signal?: AbortSignal | undefined
}

export type PackageVersion = { name: string; version: string; architecture: string; sha256: string; size: number }
export type DownloadedPackage = PackageVersion & { file: string }

export interface Apt {
  /** Base address of the mirror in use, for tools that want one of their own (mmdebstrap). */
  readonly mirror: string
  /** Base address of the security mirror, if the system has one. */
  readonly securityMirror: string | undefined
  /** The sources in one-line format, with the keyring that must have signed them. */
  readonly sources: string[]
  /** The configuration file: `APT_CONFIG=<this> apt-get …` talks to this private apt. */
  readonly config: string
  /** These packages and all they depend on, recommendations left out, as if nothing were installed. */
  resolve(packages: string[]): Promise<PackageVersion[]>
  /** Fetches what `resolve` names. Safe to repeat: what is there and sound is kept, what was cut off is continued. */
  download(packages: string[], into: string, onProgress?: OnProgress): Promise<DownloadedPackage[]>
  /** Fetches just these packages and nothing they depend on. */
  downloadOnly(packages: string[], into: string, onProgress?: OnProgress): Promise<DownloadedPackage[]>
}

const KEYRINGS = ['/usr/share/keyrings/debian-archive-keyring.gpg', '/usr/share/keyrings/debian-archive-keyring.pgp']
const LISTS_GOOD_FOR_MS = 24 * 60 * 60 * 1000

/**
 * A private apt: its own state, cache and sources; the system's mirror, proxy and keyring. Needs no root and does not
 * touch the system, nor do the system's apt hooks (which may empty the cache) run in it.
 */
export async function openApt(options: AptOptions): Promise<Apt> {
  const { suites, architecture = 'amd64', onProgress, signal } = options
  const folder = path.resolve(options.folder)
  const mirrors = await systemMirrors(signal)
  const sources = sourceLines(mirrors, suites, architecture)
  const config = path.join(folder, 'apt.conf')
  const stamp = path.join(folder, 'updated')
  const env = { APT_CONFIG: config }

  for (const name of ['lists/partial', 'archives/partial', 'empty'])
    await mkdir(path.join(folder, name), { recursive: true })
  await writeFile(path.join(folder, 'status'), '')
  await writeFile(path.join(folder, 'sources.list'), `${sources.join('\n')}\n`)
  await writeFile(config, configText(folder, architecture, await inheritedSettings(signal)))

  /** A failed refresh is not the end when there are lists to go on with: the packages may be in the cache already. */
  const update = async () => {
    const usable = await hasLists(folder, stamp, sources)
    if (!usable) await rm(stamp, { force: true })
    try {
      const args = ['update', '-q', '--error-on=any', '-o', 'Acquire::Retries=3']
      await runTool('apt-get', args, { env, signal, step: 'Reading the list of packages', onProgress })
      await writeFile(stamp, sources.join('\n'))
    } catch (error) {
      if (!usable || signal?.aborted) throw error
    }
  }
  const age = (await hasLists(folder, stamp, sources)) ? Date.now() - (await stat(stamp)).mtimeMs : Infinity
  if (age > LISTS_GOOD_FOR_MS) await update()

  const plan = async (command: string[], packages: string[]) => {
    const { stdout } = await runTool('apt-get', [...command, '--print-uris', '-qq', '-y', ...packages], { env, signal })
    return parsePrintUris(stdout)
  }
  const fetch = async (command: string[], packages: string[], into: string, report?: OnProgress) => {
    const target = path.resolve(into)
    await mkdir(path.join(target, 'partial'), { recursive: true })
    const archives = ['-o', `Dir::Cache::archives=${target}`]
    const attempt = async () => {
      const wanted = await plan(command, packages)
      const missing = await keepSound(wanted, target)
      if (missing.length > 0)
        await runTool('apt-get', [...command, '-q', '-y', ...archives, '-o', 'Acquire::Retries=3', ...packages], {
          env,
          signal,
          cwd: target,
          step: 'Downloading packages',
          onProgress: report ?? onProgress,
        })
      const bad = await keepSound(wanted, target)
      if (bad[0] !== undefined)
        throw new GodHandError('corrupt', `The package ${bad[0].name} did not arrive as the archive describes it.`)
      return wanted.map(({ file, ...about }) => ({ ...about, file: path.join(target, file) }))
    }
    try {
      return await attempt()
    } catch (error) {
      // A mirror drops a package when a newer one appears; fresh lists then name the newer one.
      if (signal?.aborted || Date.now() - (await stat(stamp)).mtimeMs < 60_000) throw error
      await update()
      return attempt()
    }
  }

  return {
    mirror: mirrors.main,
    securityMirror: mirrors.security,
    sources,
    config,
    resolve: async (packages) => (await plan(['install'], packages)).map(({ file: _, ...about }) => about),
    download: (packages, into, report) => fetch(['install', '--download-only'], packages, into, report),
    downloadOnly: (packages, into, report) => fetch(['download'], packages, into, report),
  }
}

/** Unpacks a package's files, without its scripts, as the user who runs this. */
export async function unpackDeb(debFile: string, into: string, signal?: AbortSignal): Promise<void> {
  await mkdir(into, { recursive: true })
  await runTool('dpkg-deb', ['-x', debFile, into], { signal })
}

async function systemMirrors(signal: AbortSignal | undefined): Promise<Mirrors> {
  const chosen = process.env.GODHAND_DEBIAN_MIRROR?.replace(/\/+$/, '')
  if (chosen) return { main: chosen, security: undefined }
  return chooseMirrors((await runTool('apt-get', ['indextargets'], { signal })).stdout)
}

function sourceLines(mirrors: Mirrors, suites: string[], architecture: string): string[] {
  const keyring = KEYRINGS.find((file) => existsSync(file))
  if (keyring === undefined)
    throw new GodHandError('missing_prerequisite', 'The keys that sign Debian’s packages are not on this system.', {
      hint: 'Install them: sudo apt-get install debian-archive-keyring',
    })
  return suites.flatMap((suite) => {
    const base = suite.endsWith('-security') ? mirrors.security : mirrors.main
    return base === undefined ? [] : [`deb [arch=${architecture} signed-by=${keyring}] ${base} ${suite} main`]
  })
}

/** How the system reaches its mirrors (proxy, timeouts, snapshot mirrors) holds for us too; nothing else of it does. */
async function inheritedSettings(signal: AbortSignal | undefined): Promise<string[]> {
  const { stdout } = await runTool('apt-config', ['dump', '--no-empty'], { signal })
  return stdout
    .split('\n')
    .filter((line) => /^Acquire::(https?::|Proxy|ForceIPv|Check-Valid-Until|Max-ValidTime|Check-Date)/i.test(line))
}

function configText(folder: string, architecture: string, inherited: string[]): string {
  const at = (name: string) => JSON.stringify(path.join(folder, name))
  return [
    `Dir::Etc::Parts ${at('empty')};`,
    'Dir::Etc::Main "/dev/null";',
    `Dir::Etc::SourceList ${at('sources.list')};`,
    'Dir::Etc::SourceParts "/dev/null";',
    'Dir::Etc::Preferences "/dev/null";',
    'Dir::Etc::PreferencesParts "/dev/null";',
    'Dir::Etc::Trusted "/dev/null";',
    'Dir::Etc::TrustedParts "/dev/null";',
    `Dir::State ${at('.')};`,
    `Dir::State::Lists ${at('lists')};`,
    `Dir::State::Status ${at('status')};`,
    `Dir::Cache ${at('.')};`,
    `Dir::Cache::Archives ${at('archives')};`,
    'Dir::Cache::pkgcache "";', // two processes would rename it away under each other
    'Dir::Cache::srcpkgcache "";',
    `Dir::Log ${at('.')};`,
    `APT::Architecture "${architecture}";`,
    `APT::Architectures { "${architecture}"; };`,
    'APT::Install-Recommends "false";',
    'APT::Sandbox::User "root";', // apt's own user could not write into a person's private folder
    'Acquire::Languages "none";',
    'Acquire::GzipIndexes "true";',
    'Acquire::ForceHash "SHA256";', // makes --print-uris name the sha256
    ...inherited,
    '',
  ].join('\n')
}

async function hasLists(folder: string, stamp: string, sources: string[]): Promise<boolean> {
  const madeFor = await readFile(stamp, 'utf8').catch(() => undefined)
  if (madeFor !== sources.join('\n')) return false
  return (await readdir(path.join(folder, 'lists'))).some((name) => name.includes('_Packages'))
}

type PlannedPackage = PackageVersion & { file: string }

/** Lines look like: 'address' name_version_arch.deb size SHA256:hex — with a colon of the version written as %3a. */
export function parsePrintUris(output: string): PlannedPackage[] {
  const planned: PlannedPackage[] = []
  for (const line of output.split('\n')) {
    const [, file, size, sha256] = /^'[^']+' (\S+\.deb) (\d+) SHA256:([0-9a-f]{64})$/.exec(line.trim()) ?? []
    const [, name, version, architecture] = /^([^_]+)_([^_]+)_([^_]+)\.deb$/.exec(file ?? '') ?? []
    if (!file || !sha256 || !name || !version || !architecture) continue
    planned.push({ name, version: decodeURIComponent(version), architecture, sha256, size: Number(size), file })
  }
  return planned
}

/** Which of these are not in the folder yet. A file that is there but wrong is removed, so that apt fetches it anew. */
async function keepSound(wanted: PlannedPackage[], folder: string): Promise<PlannedPackage[]> {
  const missing: PlannedPackage[] = []
  for (const each of wanted) {
    const file = path.join(folder, each.file)
    const size = await stat(file).then(
      (found) => found.size,
      () => undefined,
    )
    if (size === each.size && (await sha256OfFile(file)) === each.sha256) continue
    if (size !== undefined) await rm(file)
    missing.push(each)
  }
  return missing
}

export async function sha256OfFile(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}
