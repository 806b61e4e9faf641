import type { ClientChannel } from 'ssh2'
import { GodHandError } from '../../contract/errors.ts'
import type { ExecResult } from '../../contract/machine.ts'
import type { ExecOptions } from '../sandbox.ts'
import type { WaitingShells } from './waiting-shells.ts'

const DEFAULT_TIMEOUT_MS = 60_000
const DEFAULT_OUTPUT_BYTES = 1024 * 1024
/** Only where a program is left behind. Long, because on a busy host output comes well after the news of the end. */
const LAST_WORDS_MS = 1500
const KILL_TIMEOUT_MS = 10_000

/**
 * One command, to its end or to the end of its time. It says its process first: the SSH client sends no signal once the
 * input has ended, so what is to be ended is ended by another command.
 */
export function runInGuest(shells: WaitingShells, command: string, options: ExecOptions): Promise<ExecResult> {
  const limit = options.maxOutputBytes ?? DEFAULT_OUTPUT_BYTES
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS
  return new Promise((resolve, reject) => {
    const attach = (channel: ClientChannel) => {
      const out = collector(limit)
      const err = collector(limit)
      let exitCode: number | null = null
      let exited = false
      let pid: number | null = null
      let stopped = false
      const end = () => {
        if (pid === null || !stopped || exited) return
        // All that the command has started, also with sudo; what it put into a session of its own is left.
        const kill = `sudo -n kill -KILL -- -${pid} 2>/dev/null || kill -KILL -- -${pid}`
        runInGuest(shells, kill, { timeoutMs: KILL_TIMEOUT_MS }).catch(() => {}) // the machine may be going too
        channel.close()
      }
      const stop = (reason: GodHandError) => {
        stopped = true
        end()
        reject(reason)
      }
      const timer = setTimeout(
        () =>
          stop(
            new GodHandError('timeout', `The command did not end within ${timeoutMs / 1000} s.`, {
              details: { stdout: out.text().slice(-2000), stderr: err.text().slice(-2000) },
            }),
          ),
        timeoutMs,
      )
      const onAbort = () => stop(new GodHandError('cancelled', 'The command was cancelled.'))
      options.signal?.addEventListener('abort', onAbort, { once: true })
      if (options.signal?.aborted) onAbort() // while the shell was on its way
      const finish = () => {
        clearTimeout(timer)
        clearTimeout(grace)
        options.signal?.removeEventListener('abort', onAbort)
        if (!exited)
          return reject(new GodHandError('machine_error', 'The connection to the guest broke during the command.'))
        resolve({ exitCode, stdout: out.text(), stderr: err.text(), truncated: out.full() || err.full() })
        channel.close()
      }
      // A program left behind keeps the channel open for as long as it lives. What counts is the command's own end; its
      // last words may still be on the way, so the end is when nothing has come for a moment.
      let grace: NodeJS.Timeout | undefined
      let heardSoFar = 0
      const quiet = () => {
        if (!exited) return
        clearTimeout(grace)
        // A busy event loop runs its timers before it looks at what has arrived: look once more before calling it the end.
        grace = setTimeout(() => {
          const before = heardSoFar
          setImmediate(() => heardSoFar === before && finish())
        }, LAST_WORDS_MS)
      }
      const heard = (collect: (chunk: Buffer) => void) => (chunk: Buffer) => {
        heardSoFar++
        collect(chunk)
        quiet()
      }
      const onPid = (said: number) => {
        pid = said
        end()
      }
      channel.on('data', heard(afterPid(onPid, out.take)))
      channel.stderr.on('data', heard(err.take))
      channel.on('exit', (code: number | null) => {
        exited = true
        exitCode = code
        quiet()
      })
      channel.on('close', finish)
      channel.end(options.stdin ?? '')
    }
    shells.run(`echo $$; ${command}`, attach).catch(reject)
  })
}

/** Takes the first line for itself. */
function afterPid(onPid: (pid: number) => void, take: (chunk: Buffer) => void): (chunk: Buffer) => void {
  let line: Buffer | null = Buffer.alloc(0)
  return (chunk) => {
    if (line === null) return take(chunk)
    const all = Buffer.concat([line, chunk])
    const end = all.indexOf('\n')
    line = end === -1 ? all : null
    if (end === -1) return
    onPid(Number(all.toString('latin1', 0, end)))
    if (end + 1 < all.length) take(all.subarray(end + 1))
  }
}

function collector(limit: number) {
  const chunks: Buffer[] = []
  let size = 0
  return {
    take: (chunk: Buffer) => {
      if (size < limit) chunks.push(chunk.subarray(0, limit - size))
      size += chunk.length
    },
    text: () => Buffer.concat(chunks).toString('utf8'),
    full: () => size > limit,
  }
}
