import { setTimeout as sleep } from 'node:timers/promises'
import { GodHandError } from '../../../contract/errors.ts'

/** A model service that is busy, broken or out of reach for a moment is asked again; everything else is told at once. */

export type RetryPolicy = { attempts: number; firstDelayMs: number; longestDelayMs: number }

export const usualRetries: RetryPolicy = { attempts: 8, firstDelayMs: 1000, longestDelayMs: 60_000 }

/** Longer than this nobody waits without being asked. */
const PATIENCE_MS = 10 * 60_000

/** The connection ended before the answer did. */
export class CutShort extends Error {
  override readonly name = 'CutShort'
}

export async function withRetries<T>(
  service: string,
  attempt: () => Promise<T>,
  { policy, signal, onRetry }: { policy: RetryPolicy; signal: AbortSignal; onRetry: (why: string) => void },
): Promise<T> {
  for (let tried = 1; ; tried++) {
    signal.throwIfAborted()
    try {
      return await attempt()
    } catch (thrown) {
      signal.throwIfAborted()
      if (thrown instanceof GodHandError) throw thrown
      const failure = failureOf(thrown)
      const asked = failure.retryAfterMs ?? 0
      if (!failure.passing || tried >= policy.attempts || asked > PATIENCE_MS) throw finalError(service, failure, tried)
      const backoff = Math.min(policy.longestDelayMs, policy.firstDelayMs * 2 ** (tried - 1))
      const delay = Math.max(asked, backoff * (0.75 + Math.random() / 2))
      onRetry(`${failure.what}. Trying again in ${Math.max(1, Math.round(delay / 1000))} s.`)
      await sleep(delay, undefined, { signal }).catch(() => signal.throwIfAborted())
    }
  }
}

export type Failure = {
  what: string
  status: number | undefined
  passing: boolean
  retryAfterMs: number | undefined
  cause: unknown
}

/** Reads both SDKs' errors: they share their shape, `{status, headers, message}`. */
export function failureOf(thrown: unknown): Failure {
  const status = numberIn(thrown, 'status')
  const headers = thrown instanceof Error && 'headers' in thrown ? thrown.headers : undefined
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  const asked = headers instanceof Headers ? headers : undefined
  const told = asked?.get('x-should-retry')
  // Mid-stream errors come without a status; their type is in the message. Broken connections have neither.
  const passing =
    told === 'true' ||
    (told !== 'false' &&
      (status === undefined
        ? !/invalid_request|authentication|permission|not_found/.test(message)
        : status === 408 || status === 409 || status === 429 || status >= 500))
  return { what: describe(status, message), status, passing, retryAfterMs: retryAfter(asked), cause: thrown }
}

function describe(status: number | undefined, message: string): string {
  if (status === 429) return 'The model service asks to slow down'
  if (status === 529 || /overloaded/.test(message)) return 'The model service is overloaded'
  if (status !== undefined) return `The model service answered with an error (${status})`
  return `The connection to the model service failed (${message.slice(0, 200)})`
}

function retryAfter(headers: Headers | undefined): number | undefined {
  const ms = Number(headers?.get('retry-after-ms') ?? Number.NaN)
  if (Number.isFinite(ms)) return ms
  const given = headers?.get('retry-after')
  if (!given) return undefined
  const seconds = Number(given)
  if (Number.isFinite(seconds)) return seconds * 1000
  const date = Date.parse(given)
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())
}

function finalError(service: string, failure: Failure, tried: number): GodHandError {
  const { status, cause } = failure
  const message = cause instanceof Error ? cause.message : String(cause)
  const details = { status, tried }
  if (status === 401 || status === 403)
    return new GodHandError('missing_prerequisite', `${service} does not accept the API key.`, {
      hint: 'Check the key in the settings, and that it may use this model.',
      cause,
      details,
    })
  if (status === 404)
    return new GodHandError('not_found', `${service} does not know this model: ${message.slice(0, 300)}`, {
      hint: 'Choose another model in the settings.',
      cause,
      details,
    })
  if (failure.passing)
    return new GodHandError(
      'interrupted',
      `${service} could not be reached. ${failure.what}, ${tried} times in a row.`,
      {
        hint: 'Check the network and the state of the service, then resume the task.',
        cause,
        details,
      },
    )
  return new GodHandError('bad_request', `${service} refused the request: ${message.slice(0, 1000)}`, {
    cause,
    details,
  })
}

function numberIn(thrown: unknown, key: string): number | undefined {
  if (typeof thrown !== 'object' || thrown === null) return undefined
  const value: unknown = Reflect.get(thrown, key)
  return typeof value === 'number' ? value : undefined
}
