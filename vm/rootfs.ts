import { link, mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { execa } from 'execa'
import type { OnProgress } from '../main/contract/progress.ts'
import { type Apt, type DownloadedPackage, openApt, unpackDeb } from './apt.ts'
import { buildFailed } from './build-failure.ts'
import { essentialPackages, packageIndex, releaseFile } from './package-index.ts'
import { ensurePython } from './python.ts'
import type { Recipe } from './recipes/recipe.ts'

export type PackageSet = {
  apt: Apt
  guest: DownloadedPackage[]
  kernel: DownloadedPackage
  mmdebstrap: DownloadedPackage
}

type Fetching = { cache: string; onProgress: OnProgress; signal: AbortSignal | undefined }

/** Everything the build needs from the archive, checked against its signed lists. Kept in `cache` between builds. */
export async function fetchPackages(recipe: Recipe, { cache, onProgress, signal }: Fetching): Promise<PackageSet> {
  const debs = path.join(cache, 'debs')
  const apt = await openApt({ folder: path.join(cache, 'apt-guest'), suites: recipe.suites, onProgress, signal })
  const essential = await essentialPackages(apt, signal)
  const guest = await apt.download([...essential, 'apt', ...recipe.packages], debs, onProgress)
  const image = (await apt.resolve([recipe.kernel])).find(({ name }) => /^linux-image-\d/.test(name))
  if (image === undefined) throw buildFailed(`The package ${recipe.kernel} brings no kernel.`)
  const [kernel] = await apt.downloadOnly([image.name], debs, onProgress)
  const [mmdebstrap] = await apt.downloadOnly(['mmdebstrap'], debs, onProgress)
  if (!kernel || !mmdebstrap) throw buildFailed('The kernel or mmdebstrap did not arrive.')
  return { apt, guest, kernel, mmdebstrap }
}

type Making = {
  scratch: string
  root: string
  asRoot: string[]
  onProgress: OnProgress
  signal: AbortSignal | undefined
}

/** Installs the packages into the folder `root`, offline. */
export async function installPackages(recipe: Recipe, packages: PackageSet, making: Making): Promise<void> {
  const { scratch, root, asRoot, onProgress, signal } = making
  const repository = path.join(scratch, 'repository')
  const tools = path.join(scratch, 'mmdebstrap')
  await mkdir(repository)
  for (const { file } of packages.guest) await link(file, path.join(repository, path.basename(file)))
  const filed = packages.guest.map((each) => ({ ...each, file: path.basename(each.file) }))
  const index = await packageIndex(packages.apt, filed, signal)
  await writeFile(path.join(repository, 'Packages'), index)
  await writeFile(path.join(repository, 'Release'), releaseFile(recipe.suites[0] ?? '', index))
  await unpackDeb(packages.mmdebstrap.file, tools, signal)
  await ensurePython(signal)

  const [command = '', ...args] = [
    ...asRoot,
    'perl',
    path.join(tools, 'usr/bin/mmdebstrap'),
    ...mmdebstrapArguments(recipe, root, `deb [trusted=yes] copy:${repository} ./`),
  ]
  const running = execa(command, args, {
    env: {
      SOURCE_DATE_EPOCH: String(recipe.epoch),
      LC_ALL: 'C',
      TMPDIR: scratch,
      // mmdebstrap calls a program of its own, mmtarfilter, by name.
      PATH: [path.join(tools, 'usr/bin'), process.env.PATH].join(path.delimiter),
    },
    all: true,
    reject: false,
    ...(signal === undefined ? {} : { cancelSignal: signal }),
  })
  const counter = installCounter(packages.guest.length, onProgress)
  const lastLines: string[] = []
  for await (const line of running.iterable({ from: 'all' })) {
    counter(line)
    if (lastLines.push(line) > 40) lastLines.shift()
  }
  const result = await running
  signal?.throwIfAborted()
  if (result.failed) throw buildFailed('The guest’s packages could not be installed.', lastLines)
}

export function mmdebstrapArguments(recipe: Recipe, root: string, source: string): string[] {
  return [
    '--verbose',
    '--mode=root',
    '--variant=apt',
    '--format=directory',
    `--include=${recipe.packages.join(',')}`,
    '--aptopt=APT::Install-Recommends "false"',
    '--aptopt=APT::Sandbox::User "root"',
    ...recipe.neverUnpack.map((pattern) => `--dpkgopt=path-exclude=${pattern}`),
    ...recipe.alwaysUnpack.map((pattern) => `--dpkgopt=path-include=${pattern}`),
    recipe.suites[0] ?? '',
    root,
    source,
  ]
}

/** Each package is unpacked once and set up once. */
export function installCounter(packages: number, onProgress: OnProgress): (line: string) => void {
  let done = 0
  return (line) => {
    const [, action, name] = /^(Unpacking|Setting up) (\S+)/.exec(line) ?? []
    if (!action || !name) return
    done = Math.min(done + 1, packages * 2)
    onProgress({ step: 'Installing the guest’s packages', done, total: packages * 2, detail: name })
  }
}
