import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { BenchmarkKind } from '../contract/benchmark.ts'
import { GodHandError } from '../contract/errors.ts'
import type { OnProgress, Progress } from '../contract/progress.ts'
import type { Paths } from '../paths.ts'

const sources = path.resolve(import.meta.dirname, '..', '..')
export const benchmarkScript = (kind: BenchmarkKind) => path.join(sources, 'bench', kind, 'run.ts')
export const hasBenchmark = (kind: BenchmarkKind) => existsSync(benchmarkScript(kind))

/** More than any report; what goes on longer is not one. */
const LONGEST_OUTPUT = 4_000_000
/** Machines are ended within seconds; who takes longer is ended. */
const PATIENCE_MS = 10_000

type Options = {
  script: string
  args: string[]
  paths: Paths
  onProgress: OnProgress
  signal: AbortSignal
}

/**
 * Runs a benchmark in a process of its own, so that what it measures is not us. It says on standard error what it is
 * doing, a line at a time, and at the end the report as JSON on standard output.
 */
export async function runBenchmark({ script, args, paths, onProgress, signal }: Options): Promise<unknown> {
  const child = spawn(process.execPath, [script, '--json', ...args], {
    cwd: sources,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      GODHAND_HOME: paths.home,
      GODHAND_ASSETS: paths.assets,
      ...(process.versions.electron ? { ELECTRON_RUN_AS_NODE: '1' } : {}),
    },
  })
  const said: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => {
    said.push(line)
    if (line.trim()) onProgress(progressOf(line))
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (output.length < LONGEST_OUTPUT) output += text
  })
  let killing: NodeJS.Timeout | undefined
  const stop = () => {
    child.kill('SIGTERM')
    killing = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
  }
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', resolve)
    })
    if (signal.aborted) throw new GodHandError('cancelled', 'The benchmark was stopped.')
    if (code !== 0)
      throw new GodHandError(
        'internal',
        said.findLast((line) => line.trim()) ?? 'The benchmark ended without a word.',
        {
          hint: `Run it by hand to see more: node ${path.relative(sources, script)}`,
          details: { lastLines: said.slice(-20) },
        },
      )
    return JSON.parse(output)
  } finally {
    clearTimeout(killing)
    signal.removeEventListener('abort', stop)
  }
}

/** “snapshots 3/7, depth 2” says how far this part is; how many parts there are it does not say. */
export function progressOf(line: string): Progress {
  const counted = /(\d+)\/(\d+)/.exec(line)
  const [done, total] = [Number(counted?.[1] ?? 0), Number(counted?.[2] ?? -1)]
  return { step: line.trim(), done: counted ? Math.min(done, total) : 0, total }
}
