import { z } from 'zod'
import { GodHandError } from './errors.ts'
import { type EngineEvent, type Input, type MethodName, methods, type Output, ServerMessage } from './rpc.ts'

/**
 *  connecting ──► open ──► closed ──► connecting (after a pause that grows)
 *      └──► closed | unauthorised ──► connecting
 *  close() ends it in closed for good.
 */
export type ConnectionState = 'connecting' | 'open' | 'closed' | 'unauthorised'

/** The engine ends a socket with this code when the token is wrong: a browser can't see the status of a refused upgrade. */
export const CLOSE_UNAUTHORISED = 4401

export type ConnectOptions = {
  url: string // ws://127.0.0.1:<port>/rpc
  token?: string // left out in the browser, where a cookie says who is asking
  onEvent?: (event: EngineEvent) => void
  onState?: (state: ConnectionState) => void
  reconnect?: boolean // true unless said otherwise
  firstRetryMs?: number
  longestRetryMs?: number
}

export type Client = {
  /** Waits for a connection under way; rejects at once when there is none. */
  call<M extends MethodName>(method: M, params: Input<M>): Promise<Output<M>>
  readonly state: ConnectionState
  /** Try again at once instead of at the end of the pause. */
  retry(): void
  close(): void
}

/** The same schemas, said so that the compiler joins each method with its own answer. */
const answers: { [M in MethodName]: { output: z.ZodType<Output<M>> } } = methods

type Pending = { message: string; settle: (result: unknown) => void; reject: (error: GodHandError) => void }

export function connect(options: ConnectOptions): Client {
  const firstRetryMs = options.firstRetryMs ?? 250
  const longestRetryMs = options.longestRetryMs ?? 5000
  const pending = new Map<number, Pending>()
  let socket: WebSocket | undefined
  let state: ConnectionState = 'connecting'
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let lastId = 0
  let ended = false

  const enter = (next: ConnectionState) => {
    if (state === next) return
    state = next
    options.onState?.(next)
  }

  const rejectAll = (error: GodHandError) => {
    const waiting = [...pending.values()]
    pending.clear()
    for (const call of waiting) call.reject(error)
  }

  const open = () => {
    enter('connecting')
    const current = new WebSocket(options.url, options.token ? ['godhand', `token.${options.token}`] : ['godhand'])
    socket = current
    let opened = false
    current.onopen = () => {
      opened = true
      failures = 0
      enter('open')
      for (const call of pending.values()) current.send(call.message)
    }
    current.onmessage = (message) => receive(String(message.data))
    current.onclose = async (closed) => {
      const refused =
        closed.code === CLOSE_UNAUTHORISED || (!opened && !ended && (await isRefused(options.url, options.token)))
      if (socket !== current) return
      socket = undefined
      enter(refused ? 'unauthorised' : 'closed')
      rejectAll(refused ? unauthorised() : unreachable())
      if (ended || options.reconnect === false) return
      timer = setTimeout(open, Math.min(longestRetryMs, firstRetryMs * 2 ** failures++))
    }
  }

  const receive = (data: string) => {
    const message = ServerMessage.safeParse(parseJson(data))
    if (!message.success) {
      console.warn('GodHand: a message of the engine was not understood', message.error.message)
      return
    }
    if ('event' in message.data) {
      options.onEvent?.(message.data.event)
      return
    }
    const call = pending.get(message.data.id)
    pending.delete(message.data.id)
    if ('error' in message.data) call?.reject(GodHandError.fromInfo(message.data.error))
    else call?.settle(message.data.result)
  }

  open()

  return {
    call<M extends MethodName>(method: M, params: Input<M>): Promise<Output<M>> {
      return new Promise((resolve, reject) => {
        if (state === 'closed') return reject(unreachable())
        if (state === 'unauthorised') return reject(unauthorised())
        const id = ++lastId
        const message = JSON.stringify({ id, method, params })
        const settle = (result: unknown) => {
          const parsed = answers[method].output.safeParse(result)
          if (parsed.success) resolve(parsed.data)
          else reject(misunderstood(method, parsed.error))
        }
        pending.set(id, { message, settle, reject })
        if (state === 'open') socket?.send(message)
      })
    },
    get state() {
      return state
    },
    retry() {
      if (ended || socket) return
      clearTimeout(timer)
      open()
    },
    close() {
      ended = true
      clearTimeout(timer)
      const current = socket
      socket = undefined
      current?.close()
      enter('closed')
      rejectAll(new GodHandError('cancelled', 'The connection to the engine was closed.'))
    },
  }
}

/** A plain request to the same address tells a refusal from an engine that is not there. */
async function isRefused(url: string, token: string | undefined): Promise<boolean> {
  try {
    const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
    const response = await fetch(url.replace(/^ws/, 'http'), { headers, signal: AbortSignal.timeout(2000) })
    await response.body?.cancel()
    return response.status === 401 || response.status === 403
  } catch {
    return false
  }
}

function parseJson(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return undefined
  }
}

const unreachable = () =>
  new GodHandError('engine_unreachable', 'The engine does not answer.', {
    hint: 'Start it with `npm start`; this goes on by itself once it runs.',
  })

const unauthorised = () =>
  new GodHandError('unauthorized', 'The engine does not know this visitor.', {
    hint: 'Run `npx godhand open` for a fresh link: an older one stops working when the engine restarts.',
  })

const misunderstood = (method: string, cause: z.core.$ZodError) =>
  new GodHandError('internal', `The engine's answer to ${method} was not understood.`, {
    cause,
    hint: 'The engine and this client are probably of different versions: restart both.',
    details: { issues: z.prettifyError(cause) },
  })
