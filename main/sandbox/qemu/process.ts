import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { GodHandError } from '../../contract/errors.ts'
import { Qmp } from './qmp.ts'

export type LaunchOptions = {
  program: string
  arguments: string[]
  folder: string // of the machine: its log goes there
  qmpSocket: string
  /** Of the guest; the process may not grow far beyond it. */
  memoryMb: number
  signal?: AbortSignal | undefined
}

const QMP_TIMEOUT_MS = 20_000

/** A QEMU process with its control channel open. */
export class QemuProcess {
  readonly pid: number
  readonly qmp: Qmp
  /** Resolves with the last words of the log when the process has ended. */
  readonly exited: Promise<string>
  #gone = false

  private constructor(pid: number, qmp: Qmp, exited: Promise<string>) {
    this.pid = pid
    this.qmp = qmp
    this.exited = exited
    void exited.then(() => {
      this.#gone = true
    })
  }

  get gone(): boolean {
    return this.#gone
  }

  /** Starts it and waits until it answers. Whatever goes wrong, no process is left. */
  static async launch(options: LaunchOptions): Promise<QemuProcess> {
    const logFile = path.join(options.folder, 'qemu.log')
    const log = fs.openSync(logFile, 'a', 0o600)
    const [program, args] = confined(options.program, options.arguments, options.memoryMb)
    // A group of its own: Ctrl-C in the terminal is for the engine, which ends its machines in order.
    const child = spawn(program, args, { stdio: ['ignore', log, log], detached: true, cwd: options.folder })
    fs.closeSync(log)
    if (child.pid !== undefined) goesFirst(child.pid)
    const exited = new Promise<string>((resolve) => {
      child.once('exit', () => resolve(lastWords(logFile)))
      child.once('error', (error) => resolve(error.message))
    })
    let ended: string | null = null
    void exited.then((words) => {
      ended = words
    })
    const kill = () => {
      if (child.pid !== undefined && ended === null) process.kill(child.pid, 'SIGKILL')
    }
    try {
      const deadline = performance.now() + QMP_TIMEOUT_MS
      for (;;) {
        options.signal?.throwIfAborted()
        if (ended !== null) throw startFailure(ended)
        const qmp = await Qmp.connect(options.qmpSocket).catch(() => null)
        if (qmp && child.pid !== undefined) return new QemuProcess(child.pid, qmp, exited)
        if (performance.now() > deadline)
          throw new GodHandError('timeout', `QEMU did not answer within ${QMP_TIMEOUT_MS / 1000} s.`)
        await delay(4)
      }
    } catch (error) {
      kill()
      throw error
    }
  }

  /** Ends it without ceremony: whatever it held is a clone that is thrown away. Returns the last words of its log. */
  async kill(): Promise<string> {
    this.qmp.close()
    if (!this.#gone) {
      try {
        process.kill(this.pid, 'SIGKILL')
      } catch {
        // already gone
      }
    }
    return this.exited
  }
}

const tool = (name: string) =>
  [`/usr/bin/${name}`, `/bin/${name}`].find((file) => process.platform === 'linux' && fs.existsSync(file))
const SETPRIV = tool('setpriv')
const PRLIMIT = tool('prlimit')

/** What QEMU needs beside the guest's memory: translated code, libraries, stacks and heaps; 0.8 GB were seen. */
const OVERHEAD_MB = 2048

/**
 * On Linux the kernel holds the machine to its memory, lets it leave no memory image behind, and ends it when the engine
 * dies, even by kill -9. That it starts no process is QEMU's own sandbox's business. Elsewhere the next start cleans up.
 */
function confined(program: string, args: string[], memoryMb: number): [string, string[]] {
  const limits = [`--as=${(memoryMb + OVERHEAD_MB) * 1024 ** 2}`, '--core=0', '--nofile=4096']
  const [first = program, ...rest] = [
    ...(PRLIMIT ? [PRLIMIT, ...limits, '--'] : []),
    ...(SETPRIV ? [SETPRIV, '--pdeathsig', 'KILL', '--'] : []),
    program,
    ...args,
  ]
  return [first, rest]
}

/** Where the host runs out of memory all the same, a machine is the one to go, not what the person works with. */
function goesFirst(pid: number): void {
  if (process.platform === 'linux') fs.writeFile(`/proc/${pid}/oom_score_adj`, '500', () => {}) // or it has ended already
}

export function startFailure(words: string): GodHandError {
  if (/No space left on device/.test(words))
    return new GodHandError('disk_full', 'QEMU could not start: the disk is full.', { details: { log: words } })
  if (/Cannot allocate memory/.test(words))
    return new GodHandError('capacity', 'QEMU could not start: the host has not enough memory.', {
      hint: 'Close other machines, or give this one less memory.',
      details: { log: words },
    })
  return new GodHandError('machine_died', `QEMU ended while starting: ${words || 'it said nothing'}`)
}

function lastWords(logFile: string): string {
  try {
    return fs.readFileSync(logFile, 'utf8').trim().split('\n').slice(-5).join('\n')
  } catch {
    return ''
  }
}
