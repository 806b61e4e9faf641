import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openApt, parsePrintUris } from './apt.ts'
import { chooseMirrors, parseIndexTargets } from './apt-mirror.ts'
import { downloadPercent } from './apt-run.ts'

function target(fields: Record<string, string>): string {
  const all = { 'Created-By': 'Packages', Component: 'main', 'Target-Of': 'deb', ...fields }
  return Object.entries(all)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}

describe('the system’s mirrors', () => {
  const security = target({
    Origin: 'Debian',
    Label: 'Debian-Security',
    'Repo-URI': 'http://one.test/debian-security/',
  })
  const main = target({ Origin: 'Debian', Label: 'Debian', 'Repo-URI': 'http://two.test/debian/', 'Fallback-Of': '' })

  test('are told apart by their label, in whatever order the sources name them', () => {
    const expected = { main: 'http://two.test/debian', security: 'http://one.test/debian-security' }
    expect(chooseMirrors(`${security}\n\n${main}\n`)).toEqual(expected)
    expect(chooseMirrors(`${main}\n\n${security}\n\n`)).toEqual(expected)
  })

  test('are known by address where no list was ever fetched', () => {
    const bare = [
      target({ 'Repo-URI': 'http://two.test/debian-security/' }),
      target({ 'Repo-URI': 'mirror+file:/etc/apt/mirrors/debian.list/' }),
    ]
    expect(chooseMirrors(bare.join('\n\n'))).toEqual({
      main: 'mirror+file:/etc/apt/mirrors/debian.list',
      security: 'http://two.test/debian-security',
    })
  })

  test('are not other vendors’ archives, other components or an installation disc', () => {
    const others = [
      target({ Origin: 'Somebody', Label: 'Debian', 'Repo-URI': 'http://other.test/debian/' }),
      target({ Origin: 'Debian', Label: 'Debian', 'Repo-URI': 'cdrom:[Debian 12]/debian/' }),
      target({ Origin: 'Debian', Label: 'Debian', Component: 'contrib', 'Repo-URI': 'http://contrib.test/debian/' }),
      target({ Origin: 'Debian', Label: 'Debian', 'Created-By': 'Sources', 'Repo-URI': 'http://src.test/debian/' }),
    ]
    expect(chooseMirrors([...others, main].join('\n\n')).main).toBe('http://two.test/debian')
    expect(() => chooseMirrors(others.join('\n\n'))).toThrow(/No Debian mirror/)
  })

  test('keep values that hold colons whole', () => {
    expect(parseIndexTargets('URI: http://two.test:3142/debian/\nFallback-Of: \n')[0]?.get('URI')).toBe(
      'http://two.test:3142/debian/',
    )
  })
})

test('what apt would fetch is read with the epoch of its version, and lines of talk are passed over', () => {
  const sha256 = 'ab'.repeat(32)
  const output = `Reading package lists...
'http://two.test/pool/q/qemu-utils_10.0.1%2bds_amd64.deb' qemu-utils_1%3a10.0.1+ds_amd64.deb 2024216 SHA256:${sha256}
'http://two.test/pool/s/seabios_1.16.3-2_all.deb' seabios_1.16.3-2_all.deb 163272 MD5Sum:00
`
  expect(parsePrintUris(output)).toEqual([
    {
      name: 'qemu-utils',
      version: '1:10.0.1+ds',
      architecture: 'amd64',
      sha256,
      size: 2024216,
      file: 'qemu-utils_1%3a10.0.1+ds_amd64.deb',
    },
  ])
})

test('apt’s status lines give a percentage', () => {
  expect(downloadPercent('dlstatus:9:97.7778:Retrieving file 9 of 9')).toBe(97)
  expect(downloadPercent('pmstatus:libc6:20:Installing')).toBeUndefined()
})

describe('a private apt', () => {
  let folder: string
  const env = { ...process.env }
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'godhand-apt-'))
  })
  afterEach(async () => {
    process.env = { ...env }
    await rm(folder, { recursive: true })
  })

  test('says what is missing where there is no apt', async () => {
    process.env.PATH = folder
    const opening = openApt({ folder: path.join(folder, 'apt'), suites: ['stable'] })
    await expect(opening).rejects.toMatchObject({ code: 'missing_prerequisite', hint: expect.stringContaining('apt') })
  })

  test('refuses an archive that is not signed by Debian', async () => {
    const archive = path.join(folder, 'archive')
    await writeUnsignedArchive(archive)
    process.env.GODHAND_DEBIAN_MIRROR = `file:${archive}`
    await expect(openApt({ folder: path.join(folder, 'apt'), suites: ['stable'] })).rejects.toMatchObject({
      code: 'missing_prerequisite',
      message: expect.stringMatching(/not signed/),
    })
    expect(await readFile(path.join(folder, 'apt', 'sources.list'), 'utf8')).toContain('signed-by=')
  })
})

async function writeUnsignedArchive(archive: string): Promise<void> {
  const suite = path.join(archive, 'dists', 'stable')
  await mkdir(path.join(suite, 'main', 'binary-amd64'), { recursive: true })
  await writeFile(path.join(suite, 'main', 'binary-amd64', 'Packages'), '')
  await writeFile(
    path.join(suite, 'Release'),
    'Origin: Debian\nSuite: stable\nCodename: stable\nComponents: main\nArchitectures: amd64\nDate: Thu, 01 Jan 2026 00:00:00 UTC\nSHA256:\n',
  )
}
