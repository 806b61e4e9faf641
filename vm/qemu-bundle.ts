import { existsSync, readFileSync } from 'node:fs'
import { chmod, copyFile, cp, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { execa } from 'execa'
import PQueue from 'p-queue'
import { GodHandError } from '../main/contract/errors.ts'
import type { OnProgress } from '../main/contract/progress.ts'
import { type DownloadedPackage, openApt, unpackDeb } from './apt.ts'
import { libraryClosure } from './qemu-elf.ts'
import { askQemuVersion, assertNewEnough, type QemuInstall } from './qemu-install.ts'
import { contentKey, intactManifest, listFiles, MANIFEST, type QemuManifest, recipeKey } from './qemu-manifest.ts'
import { QEMU_RECIPE } from './qemu-recipe.ts'
import { wrapperScript } from './qemu-wrapper.ts'

export { findSystemQemu, type QemuInstall } from './qemu-install.ts'

type BundleOptions = {
  /** Where the bundle is to be; it may be moved afterwards. */
  folder: string
  /** For downloads, kept so that an interrupted build goes on where it was. */
  cache: string
  onProgress?: OnProgress | undefined
  signal?: AbortSignal | undefined
}

/**
 * A QEMU that runs from its own folder, made from Debian's packages without root. Returns at once when it is there and
 * intact. It is assembled beside its place and renamed into it, so an interrupted build leaves nothing in the way.
 *
 *   bin/      what to start: small scripts that hand over to …
 *   loader/   … the dynamic loader, one copy a program so that the process bears the program's name
 *   libexec/  the programs themselves
 *   lib/      every library they need down to libc, and QEMU's modules
 *   share/    firmware and keymaps
 */
export function ensureQemuBundle(options: BundleOptions): Promise<QemuInstall> {
  const folder = path.resolve(options.folder)
  const running = underway.get(folder) ?? bring(folder, options).finally(() => underway.delete(folder))
  underway.set(folder, running)
  return running
}

/** Two parts of one process that want the same bundle get the same one. */
const underway = new Map<string, Promise<QemuInstall>>()

async function bring(folder: string, options: BundleOptions): Promise<QemuInstall> {
  const recipe = recipeKey([QEMU_RECIPE, Object.keys(QEMU_RECIPE.programs).map(wrapperScript)])
  await removeLeftovers(folder)
  const present = await intactManifest(folder, recipe)
  if (present !== undefined) return installAt(folder, present)
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new GodHandError(
      'unsupported',
      `GodHand can bring its own QEMU on 64-bit x86 Linux only, not on ${process.platform} ${process.arch}.`,
      {
        hint: 'Install QEMU 10 or newer and set GODHAND_QEMU=system.',
      },
    )

  await mkdir(path.dirname(folder), { recursive: true })
  const workshop = `${folder}.new-${process.pid}`
  try {
    const manifest = await build(workshop, recipe, options)
    await putInPlace(workshop, folder, recipe)
    return installAt(folder, manifest)
  } catch (error) {
    if (options.signal?.aborted) throw new GodHandError('cancelled', 'Bringing QEMU was stopped.', { cause: error })
    throw GodHandError.from(error)
  } finally {
    await rm(workshop, { recursive: true, force: true })
  }
}

function installAt(folder: string, manifest: QemuManifest): QemuInstall {
  return {
    system: path.join(folder, 'bin', 'qemu-system-x86_64'),
    img: path.join(folder, 'bin', 'qemu-img'),
    dataDir: path.join(folder, 'share', 'qemu'),
    version: manifest.qemuVersion,
    key: manifest.key,
    origin: 'bundle',
  }
}

async function build(
  workshop: string,
  recipe: string,
  { cache, onProgress, signal }: BundleOptions,
): Promise<QemuManifest> {
  const { suites, architecture, packages: roots } = QEMU_RECIPE
  const apt = await openApt({
    folder: path.join(cache, 'apt-qemu'),
    suites: [...suites],
    architecture,
    onProgress,
    signal,
  })
  const report: OnProgress = (progress) => onProgress?.({ ...progress, step: 'Downloading QEMU' })
  const packages = await apt.download([...roots], path.join(cache, 'debs-qemu'), report)

  const unpacked = path.join(workshop, 'unpacked')
  await unpackAll(packages, unpacked, onProgress, signal)
  const assembled = path.join(workshop, 'qemu')
  onProgress?.({ step: 'Assembling QEMU', done: 0, total: -1 })
  await assemble(unpacked, assembled)
  const qemuVersion = await tryOut(assembled)
  signal?.throwIfAborted()

  const files = await listFiles(assembled)
  const manifest: QemuManifest = {
    recipe,
    qemuVersion,
    packages: packages.map(({ name, version, sha256 }) => ({ name, version, sha256 })),
    files,
    key: contentKey(files),
  }
  await writeFile(path.join(assembled, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`)
  onProgress?.({ step: 'Assembling QEMU', done: 1, total: 1, detail: `QEMU ${qemuVersion}` })
  return manifest
}

async function unpackAll(
  packages: DownloadedPackage[],
  into: string,
  onProgress: OnProgress | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  const queue = new PQueue({ concurrency: availableParallelism() })
  let done = 0
  try {
    await queue.addAll(
      packages.map(({ name, file }) => async () => {
        await unpackDeb(file, into, signal)
        done += 1
        onProgress?.({ step: 'Unpacking QEMU', done, total: packages.length, detail: name })
      }),
    )
  } finally {
    // After a failure the others may still be writing into the folder that is about to be removed.
    queue.clear()
    await queue.onIdle()
  }
}

async function assemble(unpacked: string, bundle: string): Promise<void> {
  const recipe = QEMU_RECIPE
  const at = (...parts: string[]) => path.join(bundle, ...parts)
  for (const name of ['bin', 'loader', 'libexec', 'lib/qemu', 'share/qemu']) await mkdir(at(name), { recursive: true })

  const libraryFile = async (name: string) => firstOf(unpacked, recipe.libraryFolders, name)
  const loader = mustHave(await libraryFile(recipe.loader), recipe.loader)
  const programs = Object.entries(recipe.programs)
  for (const [name, source] of programs) {
    await copyAs(path.join(unpacked, source), at('libexec', name), 0o755)
    await copyAs(loader, at('loader', name), 0o755)
    await writeFile(at('bin', name), wrapperScript(name), { mode: 0o755 })
  }
  const modules = recipe.modules.map((name) => path.join(unpacked, recipe.moduleFolder, name))
  for (const module of modules) await copyAs(module, at('lib', 'qemu', path.basename(module)), 0o644)

  const hidden = recipe.hiddenLibraries.map((name) => mustHave(firstOf(unpacked, recipe.libraryFolders, name), name))
  const libraries = await libraryClosure(
    [...programs.map(([name]) => at('libexec', name)), ...modules, ...hidden],
    libraryFile,
  )
  for (const [index, name] of recipe.hiddenLibraries.entries()) libraries.set(name, mustHave(hidden[index], name))
  // The loader that runs the program is also the library of that name; a second copy would never be read.
  libraries.delete(recipe.loader)
  for (const [name, file] of libraries) await copyAs(file, at('lib', name), 0o644)

  for (const name of recipe.firmware)
    await copyAs(mustHave(firstOf(unpacked, recipe.firmwareFolders, name), name), at('share', 'qemu', name), 0o644)
  await cp(path.join(unpacked, recipe.keymapFolder), at('share', 'qemu', 'keymaps'), {
    recursive: true,
    dereference: true,
  })
}

/** Starts each program once, and asks for a display that lives in a module, before anybody relies on the bundle. */
async function tryOut(bundle: string): Promise<string> {
  const system = path.join(bundle, 'bin', 'qemu-system-x86_64')
  const { version } = await askQemuVersion(system)
  assertNewEnough(version, system)
  await askQemuVersion(path.join(bundle, 'bin', 'qemu-img'))
  await execa(system, ['-M', 'q35', '-device', 'virtio-vga,help'], { timeout: 20_000 })
  return version
}

/** Another process may have finished the same bundle meanwhile: then that one stays. */
async function putInPlace(workshop: string, folder: string, recipe: string): Promise<void> {
  if ((await intactManifest(folder, recipe)) !== undefined) return
  const old = `${folder}.old-${process.pid}`
  if (existsSync(folder)) await rename(folder, old)
  await rename(path.join(workshop, 'qemu'), folder)
  await rm(old, { recursive: true, force: true })
}

/** What interrupted builds left beside the folder, unless the process that makes it is still at it. */
async function removeLeftovers(folder: string): Promise<void> {
  const beginning = `${path.basename(folder)}.`
  for (const name of await readdir(path.dirname(folder)).catch(() => [])) {
    const pid = name.startsWith(beginning) ? /^(?:new|old)-(\d+)$/.exec(name.slice(beginning.length))?.[1] : undefined
    if (pid === undefined || (Number(pid) !== process.pid && isRunning(Number(pid)))) continue
    await rm(path.join(path.dirname(folder), name), { recursive: true, force: true })
  }
}

/** A killed process stays in the table as a zombie until its parent looks; it builds nothing any more. */
function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

async function copyAs(from: string, to: string, mode: number): Promise<void> {
  await copyFile(from, to)
  await chmod(to, mode)
}

function firstOf(root: string, folders: readonly string[], name: string): string | undefined {
  return folders.map((folder) => path.join(root, folder, name)).find((file) => existsSync(file))
}

function mustHave(file: string | undefined, name: string): string {
  if (file === undefined) throw new GodHandError('missing_prerequisite', `${name} is in none of QEMU’s packages.`)
  return file
}
