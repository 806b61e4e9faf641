import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type WebSocket as ServerSocket, WebSocketServer } from 'ws'
import { CLOSE_UNAUTHORISED, type Client, type ConnectionState, connect } from './client.ts'
import { GodHandError } from './errors.ts'
import type { EngineEvent } from './rpc.ts'

type Call = { id: number; method: string; params: unknown }
type Answer = (call: Call, socket: ServerSocket) => void

const servers: WebSocketServer[] = []
const clients: Client[] = []

async function serve(answer: Answer, port = 0): Promise<{ server: WebSocketServer; port: number; url: string }> {
  const server = new WebSocketServer({ host: '127.0.0.1', port })
  servers.push(server)
  await new Promise((resolve) => server.once('listening', resolve))
  server.on('connection', (socket) => socket.on('message', (data) => answer(JSON.parse(String(data)), socket)))
  const address = server.address() as AddressInfo
  return { server, port: address.port, url: `ws://127.0.0.1:${address.port}/rpc` }
}

function open(options: Parameters<typeof connect>[0]): Client {
  const client = connect({ firstRetryMs: 10, longestRetryMs: 40, ...options })
  clients.push(client)
  return client
}

async function stop(server: WebSocketServer): Promise<void> {
  for (const socket of server.clients) socket.terminate()
  await new Promise((resolve) => server.close(resolve))
}

afterEach(async () => {
  for (const client of clients.splice(0)) client.close()
  for (const server of servers.splice(0)) await stop(server)
})

const caught = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail('it should have been rejected'),
    (error: unknown) => GodHandError.from(error),
  )

describe('the client', () => {
  it('sends a call made before the connection stands, and parses the answer', async () => {
    const seen: Call[] = []
    const { url } = await serve((call, socket) => {
      seen.push(call)
      socket.send(JSON.stringify({ id: call.id, result: { exitCode: 0, stdout: 'hi', stderr: '', truncated: false } }))
    })
    const result = await open({ url }).call('vm.exec', { machineId: 'm1', command: 'echo hi' })
    expect(result.stdout).toBe('hi')
    expect(seen[0]).toMatchObject({ method: 'vm.exec', params: { machineId: 'm1', command: 'echo hi' } })
  })

  it('presents the token as a subprotocol', async () => {
    const { server, url } = await serve((call, socket) => socket.send(JSON.stringify({ id: call.id, result: [] })))
    const header = new Promise((resolve) =>
      server.once('connection', (_, request) => resolve(request.headers['sec-websocket-protocol'])),
    )
    await open({ url, token: 'abc' }).call('vm.list', {})
    expect(String(await header).replaceAll(' ', '')).toBe('godhand,token.abc')
  })

  it('gives each answer to the call that asked, whatever the order', async () => {
    const waiting: Call[] = []
    const { url } = await serve((call, socket) => {
      waiting.push(call)
      if (waiting.length < 2) return
      for (const late of waiting.reverse())
        socket.send(
          JSON.stringify({
            id: late.id,
            result: { exitCode: 0, stdout: JSON.stringify(late.params), stderr: '', truncated: false },
          }),
        )
    })
    const client = open({ url })
    const first = client.call('vm.exec', { machineId: 'a', command: 'x' })
    const second = client.call('vm.exec', { machineId: 'b', command: 'y' })
    expect((await first).stdout).toContain('"machineId":"a"')
    expect((await second).stdout).toContain('"machineId":"b"')
  })

  it('rejects with the error of the engine, hint and all', async () => {
    const { url } = await serve((call, socket) =>
      socket.send(
        JSON.stringify({ id: call.id, error: { code: 'not_found', message: 'No machine m9.', hint: 'See vm list.' } }),
      ),
    )
    const error = await caught(open({ url }).call('vm.pause', { machineId: 'm9' }))
    expect(error).toMatchObject({ code: 'not_found', message: 'No machine m9.', hint: 'See vm list.' })
  })

  it('refuses an answer that does not fit the contract', async () => {
    const { url } = await serve((call, socket) => socket.send(JSON.stringify({ id: call.id, result: [{ id: 7 }] })))
    const error = await caught(open({ url }).call('vm.list', {}))
    expect(error.code).toBe('internal')
    expect(error.message).toContain('vm.list')
  })

  it('passes events on and goes on after a message it does not understand', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const { server, url } = await serve(() => {})
    const events: EngineEvent[] = []
    const event: EngineEvent = { type: 'activity', taskId: 't1', phase: 'thinking', text: 'Hm' }
    server.on('connection', (socket) => {
      socket.send('not json')
      socket.send(JSON.stringify({ event: { type: 'unheard of' } }))
      socket.send(JSON.stringify({ event }))
    })
    open({ url, onEvent: (received) => events.push(received) })
    await vi.waitFor(() => expect(events).toEqual([event]))
    expect(warn).toHaveBeenCalledTimes(2)
    warn.mockRestore()
  })

  it('rejects calls in flight when the engine goes, and works again when it is back', async () => {
    const first = await serve(() => {})
    const states: ConnectionState[] = []
    const client = open({ url: first.url, onState: (state) => states.push(state) })
    const lost = caught(client.call('vm.list', {}))
    await vi.waitFor(() => expect(client.state).toBe('open'))
    await stop(first.server)
    expect((await lost).code).toBe('engine_unreachable')
    await serve((call, socket) => socket.send(JSON.stringify({ id: call.id, result: [] })), first.port)
    await vi.waitFor(() => expect(client.state).toBe('open'))
    expect(await client.call('vm.list', {})).toEqual([])
    expect(states.slice(0, 3)).toEqual(['open', 'closed', 'connecting'])
  })

  it('says that nobody is there, once, when told not to try again', async () => {
    const { server, url } = await serve(() => {})
    await stop(server)
    const client = open({ url, reconnect: false })
    expect((await caught(client.call('vm.list', {}))).code).toBe('engine_unreachable')
    expect(client.state).toBe('closed')
    expect((await caught(client.call('vm.list', {}))).code).toBe('engine_unreachable')
  })

  it('knows a refusal by the close code', async () => {
    const { server, url } = await serve(() => {})
    server.on('connection', (socket) => socket.close(CLOSE_UNAUTHORISED))
    const client = open({ url, reconnect: false })
    await vi.waitFor(() => expect(client.state).toBe('unauthorised'))
    expect((await caught(client.call('vm.list', {}))).code).toBe('unauthorized')
  })

  it('knows a refusal by the status of the address when the upgrade is turned down', async () => {
    const { createServer } = await import('node:http')
    const http = createServer((_, response) => response.writeHead(401).end())
    http.on('upgrade', (_, socket) => socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n'))
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
    const client = open({ url: `ws://127.0.0.1:${(http.address() as AddressInfo).port}/rpc`, token: 'wrong' })
    await vi.waitFor(() => expect(client.state).toBe('unauthorised'))
    http.close()
  })

  it('rejects what is pending when it is closed on purpose', async () => {
    const { url } = await serve(() => {})
    const client = open({ url })
    const pending = caught(client.call('vm.list', {}))
    client.close()
    expect((await pending).code).toBe('cancelled')
    expect(client.state).toBe('closed')
  })
})
