import { createHash } from 'node:crypto'
import { createInterface } from 'node:readline'
import { execa } from 'execa'
import { GodHandError } from '../main/contract/errors.ts'
import type { Apt, PackageVersion } from './apt.ts'

/** What the archive says about every package, as stanzas of `Field: value` lines. */
async function* stanzas(apt: Apt, signal?: AbortSignal): AsyncGenerator<string> {
  const running = execa('apt-cache', ['dumpavail'], {
    env: { APT_CONFIG: apt.config, LC_ALL: 'C' },
    buffer: false,
    ...(signal === undefined ? {} : { cancelSignal: signal }),
  })
  let stanza = ''
  for await (const line of createInterface({ input: running.stdout, crlfDelay: Infinity })) {
    if (line !== '') stanza += `${line}\n`
    else if (stanza !== '') {
      yield stanza
      stanza = ''
    }
  }
  if (stanza !== '') yield stanza
  await running
}

function field(stanza: string, name: string): string | undefined {
  return new RegExp(`^${name}: (.*)$`, 'm').exec(stanza)?.[1]
}

/** The packages every Debian has, which nothing names as a dependency. */
export async function essentialPackages(apt: Apt, signal?: AbortSignal): Promise<string[]> {
  const names = new Set<string>()
  for await (const stanza of stanzas(apt, signal)) {
    const name = field(stanza, 'Package')
    if (name !== undefined && field(stanza, 'Essential') === 'yes') names.add(name)
  }
  return [...names].sort()
}

type FiledPackage = PackageVersion & { file: string }

/**
 * A `Packages` file for exactly these packages. With it a folder of .deb files is a repository, and the guest is built
 * from what was downloaded and checked, and from nothing else.
 */
export async function packageIndex(apt: Apt, packages: FiledPackage[], signal?: AbortSignal): Promise<string> {
  const wanted = new Map(packages.map((each) => [each.sha256, each]))
  const found = new Map<string, string>()
  for await (const stanza of stanzas(apt, signal)) {
    const sha256 = field(stanza, 'SHA256')
    const about = sha256 === undefined ? undefined : wanted.get(sha256)
    if (about) found.set(about.name, stanza.replace(/^Filename: .*$/m, `Filename: ./${about.file}`))
  }
  const missing = packages.find((each) => !found.has(each.name))
  if (missing) throw new GodHandError('image_build_failed', `The package lists no longer describe ${missing.name}.`)
  return [...found.keys()]
    .sort()
    .map((name) => found.get(name))
    .join('\n')
}

/** Names the suite, by which mmdebstrap finds the essential packages. */
export function releaseFile(suite: string, index: string): string {
  const sha256 = createHash('sha256').update(index).digest('hex')
  return `Suite: ${suite}\nCodename: ${suite}\nSHA256:\n ${sha256} ${Buffer.byteLength(index)} Packages\n`
}
