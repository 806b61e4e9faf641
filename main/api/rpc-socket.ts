import type { RawData, WebSocket } from 'ws'
import type { z } from 'zod'
import { GodHandError } from '../contract/errors.ts'
import { ClientMessage, type EngineEvent, methods } from '../contract/rpc.ts'
import type { Engine } from '../engine.ts'
import type { Log } from '../log.ts'
import { callByName } from './rpc-call.ts'

export const LARGEST_MESSAGE = 16 * 1024 * 1024
/** A reader this far behind is gone or stuck; it can connect again and ask for what it missed. */
const MOST_BUFFERED = 32 * 1024 * 1024
const MOST_CALLS = 256

type Message = z.infer<typeof ClientMessage>
type RpcOptions = { engine: Engine; log: Log; onShutdown: () => void; onReset: () => Promise<void> }

/** Speaks the contract over one WebSocket: calls in any order, answers as they come, events in between. */
export function serveRpc(socket: WebSocket, options: RpcOptions): void {
  const { engine, log } = options
  let underWay = 0

  const send = (text: string) => {
    if (socket.readyState !== socket.OPEN) return
    socket.send(text)
    if (socket.bufferedAmount <= MOST_BUFFERED) return
    log.warn({ buffered: socket.bufferedAmount }, 'a client reads too slowly: connection dropped')
    socket.terminate()
  }
  const refuse = (id: number, error: GodHandError) => send(JSON.stringify({ id, error: error.toInfo() }))

  const answer = async ({ id, method, params }: Message) => {
    if (underWay >= MOST_CALLS)
      return refuse(id, new GodHandError('capacity', 'Too many calls are under way on this connection.'))
    underWay += 1
    try {
      // Ending the process is for whoever started it; the answer goes out before that begins.
      if (method === 'engine.shutdown') {
        send(JSON.stringify({ id, result: {} }))
        options.onShutdown()
        return
      }
      if (method === 'engine.reset') {
        methods[method].input.parse(params)
        await options.onReset()
        send(JSON.stringify({ id, result: {} }))
        return
      }
      send(JSON.stringify({ id, result: await callByName(engine, method, params) }))
    } catch (thrown) {
      const error = GodHandError.from(thrown)
      if (error.code === 'internal') log.error({ err: thrown, method }, 'a call failed unexpectedly')
      refuse(id, error)
    } finally {
      underWay -= 1
    }
  }

  const unsubscribe = engine.onEvent((event) => send(serialised(event)))
  socket.on('message', (data, isBinary) => {
    const message = isBinary ? null : readMessage(data)
    if (message) void answer(message)
    else socket.close(1007, 'not a message of the contract')
  })
  socket.on('close', unsubscribe)
  socket.on('error', (error) => log.debug({ err: error }, 'a connection failed'))
}

function readMessage(data: RawData): Message | null {
  try {
    return ClientMessage.parse(JSON.parse(data.toString()))
  } catch {
    return null
  }
}

/** Every connection gets the same text, so it is made once for each event. */
const texts = new WeakMap<EngineEvent, string>()
function serialised(event: EngineEvent): string {
  const known = texts.get(event)
  if (known !== undefined) return known
  const text = JSON.stringify({ event })
  texts.set(event, text)
  return text
}
