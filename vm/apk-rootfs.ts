import { copyFile, mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { execa } from 'execa'
import type { OnProgress } from '../main/contract/progress.ts'
import { type Apk, apkData, type DownloadedApk, openApk } from './apk.ts'
import type { AlpineSource } from './apk-source.ts'
import { unpackApk } from './apk-unpack.ts'
import { buildFailed } from './build-failure.ts'
import type { AlpineRecipe } from './recipes/alpine.ts'

export type AlpineSet = {
  apk: Pick<Apk, 'indexes'>
  guest: DownloadedApk[]
  kernel: DownloadedApk
  /** Alpine's own installer, in one static file. */
  installer: DownloadedApk
}

type Fetching = { source: AlpineSource; cache: string; onProgress: OnProgress; signal?: AbortSignal | undefined }

/** Everything the build needs from Alpine, checked against its signed index. Kept in `cache` between builds. */
export async function fetchAlpine(recipe: AlpineRecipe, fetching: Fetching): Promise<AlpineSet> {
  const { source, cache, onProgress, signal } = fetching
  const apk = await openApk({
    repositories: recipe.repositories.map((name) => `${source.mirror}/${recipe.branch}/${name}`),
    keys: source.keys,
    cache: path.join(cache, 'apks'),
    onProgress,
    signal,
  })
  const guest = await apk.download(recipe.packages)
  const [kernel, installer] = await apk.downloadOnly([recipe.kernel, 'apk-tools-static'])
  if (!kernel || !installer) throw buildFailed('The kernel or apk did not arrive.')
  return { apk, guest, kernel, installer }
}

type Making = {
  keys: string
  scratch: string
  root: string
  asRoot: string[]
  onProgress: OnProgress
  signal?: AbortSignal | undefined
}

/** Installs the packages into the folder `root`, offline, by Alpine's own apk: it runs scripts and keeps its books. */
export async function installAlpine(recipe: AlpineRecipe, packages: AlpineSet, making: Making): Promise<void> {
  const { scratch, root, keys, asRoot, onProgress, signal } = making
  const repository = path.join(scratch, 'repository')
  await layOutRepository(repository, recipe, packages)
  const tools = path.join(scratch, 'apk-tools')
  await mkdir(tools)
  await unpackApk(await apkData(packages.installer), tools)
  await mkdir(root, { recursive: true })

  const apk = apkArguments(recipe, { program: path.join(tools, 'sbin/apk.static'), root, repository, keys })
  const [command = '', ...args] = [...asRoot, ...apk]
  const running = execa(command, args, {
    env: { SOURCE_DATE_EPOCH: String(recipe.epoch), LC_ALL: 'C' },
    all: true,
    reject: false,
    ...(signal === undefined ? {} : { cancelSignal: signal }),
  })
  const lastLines: string[] = []
  for await (const line of running.iterable({ from: 'all' })) {
    // "(12/240) Installing musl (1.2.5-r9)"
    const [, done, total, name] = /^\((\d+)\/(\d+)\) Installing (\S+)/.exec(line) ?? []
    if (name)
      onProgress({ step: 'Installing the guest’s packages', done: Number(done), total: Number(total), detail: name })
    if (lastLines.push(line) > 40) lastLines.shift()
  }
  const result = await running
  signal?.throwIfAborted()
  if (result.failed) throw buildFailed('The guest’s packages could not be installed.', lastLines)
  for (const [name, target] of Object.entries(recipe.links)) {
    await mkdir(path.join(root, path.dirname(name)), { recursive: true })
    await symlink(target, path.join(root, name)).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    })
  }
}

/** A mirror in a folder: the signed indexes as they came, and the packages that were downloaded. */
export async function layOutRepository(
  folder: string,
  recipe: Pick<AlpineRecipe, 'repositories'>,
  { apk, guest }: Pick<AlpineSet, 'apk' | 'guest'>,
): Promise<void> {
  for (const [number, name] of recipe.repositories.entries()) {
    const into = path.join(folder, name, 'x86_64')
    await mkdir(into, { recursive: true })
    const index = apk.indexes[number]
    if (!index) throw buildFailed(`Alpine’s repository ${name} has no index.`)
    await writeFile(path.join(into, 'APKINDEX.tar.gz'), index)
    const already = new Set(await readdir(into))
    for (const { file, repository } of guest)
      if (repository === number && !already.has(path.basename(file)))
        await copyFile(file, path.join(into, path.basename(file)))
  }
}

type ApkRun = { program: string; root: string; repository: string; keys: string }

export function apkArguments(recipe: AlpineRecipe, { program, root, repository, keys }: ApkRun): string[] {
  return [
    program,
    ...['--root', root, '--arch', 'x86_64', '--keys-dir', keys],
    ...['--no-network', '--no-cache', '--no-interactive', '--repositories-file', '/dev/null'],
    ...recipe.repositories.flatMap((name) => ['--repository', path.join(repository, name)]),
    ...['add', '--initdb', ...recipe.packages],
  ]
}
