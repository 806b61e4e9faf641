import { GodHandError } from '../main/contract/errors.ts'
import type { OnProgress } from '../main/contract/progress.ts'
import { currentPaths, type Paths } from '../main/paths.ts'
import { progressBar } from '../main/shell/progress-bar.mjs'
import { ensureImage } from '../vm/image-builder.ts'
import { ensureQemuBundle, findSystemQemu } from '../vm/qemu-bundle.ts'

export type Variant = Parameters<typeof ensureImage>[0]['variant']

type PrepareOptions = { paths: Paths; variants: Variant[]; onProgress: OnProgress; signal: AbortSignal }

/** What machines are made of: QEMU and the guest image. Resolves with the files to look for, at once when all are there. */
export async function prepare({ paths, variants, onProgress, signal }: PrepareOptions): Promise<string[]> {
  const qemu =
    (await findSystemQemu()) ?? (await ensureQemuBundle({ folder: paths.qemu, cache: paths.cache, onProgress, signal }))
  const files = [qemu.system, qemu.img]
  for (const variant of variants) {
    const parts = { images: paths.images, cache: paths.cache, qemuImg: qemu.img }
    files.push((await ensureImage({ variant, ...parts, onProgress, signal })).disk)
  }
  return files
}

/** The same with a bar for the person. Ctrl-C ends it in order: what was half made is removed before the process ends. */
export async function prepareWithBar(variants: Variant[]): Promise<string[]> {
  const bar = progressBar()
  const stop = new AbortController()
  const onSignal = () => stop.abort()
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal).on('SIGHUP', onSignal)
  try {
    const files = await prepare({ paths: currentPaths(), variants, onProgress: bar.report, signal: stop.signal })
    bar.done()
    return files
  } catch (thrown) {
    bar.clear()
    if (stop.signal.aborted) throw new GodHandError('cancelled', 'Stopped. Run it again to go on where it was.')
    throw thrown
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal).off('SIGHUP', onSignal)
  }
}

/** As a process of its own it tells its parent, where there is one, what went wrong. */
export async function main(args: string[]): Promise<void> {
  try {
    await prepareWithBar(args.includes('--no-image') ? [] : ['desktop'])
    process.exit(0)
  } catch (thrown) {
    const error = GodHandError.from(thrown)
    const exitCode = error.code === 'cancelled' ? 130 : 1
    const send = process.send?.bind(process)
    if (send) send({ error: error.toInfo() }, () => process.exit(exitCode))
    else {
      const { printError } = await import('../main/shell/print-error.ts')
      printError(error)
      process.exit(exitCode)
    }
  }
}

if (import.meta.main) await main(process.argv.slice(2))
