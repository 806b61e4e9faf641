import { execa } from 'execa'
import type { OnProgress } from '../main/contract/progress.ts'
import { buildFailed } from './build-failure.ts'

type Compressing = {
  qemuImg: string
  from: string
  format: 'raw' | 'qcow2'
  into: string
  onProgress: OnProgress
  signal: AbortSignal | undefined
}

/** One worker and no reordering: the same disk always gives the same file. */
export async function compressDisk({ qemuImg, from, format, into, onProgress, signal }: Compressing): Promise<void> {
  const zstd = ['-c', '-o', 'compression_type=zstd']
  const args = ['convert', '-p', '-m', '1', '-f', format, '-O', 'qcow2', ...zstd, from, into]
  const running = execa(qemuImg, args, {
    reject: false,
    ...(signal === undefined ? {} : { cancelSignal: signal }),
  })
  running.stdout.on('data', (text) => {
    const percent = lastPercent(String(text))
    if (percent !== undefined) onProgress({ step: 'Compressing the disk', done: percent, total: 100 })
  })
  const result = await running
  signal?.throwIfAborted()
  if (result.failed) throw buildFailed('The guest’s disk could not be compressed.', result.stderr.split('\n'), result)
}

/** qemu-img rewrites one line: `    (12.34/100%)\r`. */
export function lastPercent(text: string): number | undefined {
  const last = [...text.matchAll(/\(([\d.]+)\/100%\)/g)].at(-1)?.[1]
  return last === undefined ? undefined : Math.floor(Number(last))
}
