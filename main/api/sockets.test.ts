import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { type Client, connect } from '../contract/client.ts'
import type { EngineEvent } from '../contract/rpc.ts'
import { silentLog } from '../log.ts'
import { type EngineServer, startServer } from './server.ts'
import { type FakeEngine, fakeEngine } from './testing/fake-engine.ts'

let engine: FakeEngine
let server: EngineServer
let shutdowns: number
const clients: Client[] = []

beforeEach(async () => {
  shutdowns = 0
  engine = fakeEngine({
    'vm.exec': ({ command }) => ({ exitCode: 0, stdout: command, stderr: '', truncated: false }),
    // @ts-expect-error an engine that breaks the contract
    'vm.screenshot': () => ({ frame: 7 }),
  })
  server = await startServer({
    engine,
    log: silentLog,
    uiFolder: '/nowhere',
    port: 0,
    onShutdown: () => {
      shutdowns += 1
    },
  })
})

afterEach(async () => {
  for (const client of clients.splice(0)) client.close()
  await server.close()
})

function client(onEvent: (event: EngineEvent) => void = () => {}, token = server.token): Client {
  const made = connect({ url: `ws://127.0.0.1:${server.port}/rpc`, token, onEvent, reconnect: false })
  clients.push(made)
  return made
}

const raw = (path: string, protocols: string[], headers: Record<string, string> = {}) =>
  new WebSocket(`ws://127.0.0.1:${server.port}${path}`, protocols, { headers })

async function refusal(socket: WebSocket): Promise<number> {
  socket.on('error', () => {})
  const [, response] = await once(socket, 'unexpected-response')
  return response.statusCode
}

describe('/rpc', () => {
  it('answers calls of the contract', async () => {
    expect(await client().call('vm.exec', { machineId: 'm', command: 'uname -a' })).toMatchObject({
      stdout: 'uname -a',
    })
  })

  it('keeps code, message and hint of an error', async () => {
    await expect(client().call('vm.destroy', { machineId: 'nobody' })).rejects.toMatchObject({
      code: 'not_found',
      message: 'There is no machine nobody.',
      hint: expect.stringContaining('vm list'),
    })
  })

  it('refuses input that does not fit, and an answer of the engine that does not', async () => {
    await expect(client().call('vm.fork', { machineId: 'm', count: 99 })).rejects.toMatchObject({ code: 'bad_request' })
    await expect(client().call('vm.screenshot', { machineId: 'm' })).rejects.toMatchObject({ code: 'internal' })
  })

  it('refuses a method nobody knows, and names that only objects have', async () => {
    const socket = raw('/rpc', ['godhand', `token.${server.token}`])
    await once(socket, 'open')
    for (const method of ['vm.explode', 'constructor', '__proto__']) {
      socket.send(JSON.stringify({ id: 1, method, params: {} }))
      const [data] = await once(socket, 'message')
      expect(JSON.parse(String(data))).toMatchObject({ id: 1, error: { code: 'bad_request' } })
    }
    socket.terminate()
  })

  it('tells every connection every event, and stops when it has gone', async () => {
    const seen: EngineEvent[][] = [[], []]
    const both = seen.map((events) => client((event) => events.push(event)))
    await Promise.all(both.map((one) => one.call('vm.list', {})))
    const event: EngineEvent = { type: 'activity', taskId: 't', phase: 'looking', text: 'Looking' }
    engine.tell(event)
    await vi.waitFor(() => expect(seen).toEqual([[event], [event]]))
    for (const one of both) one.close()
    await vi.waitFor(() => expect(engine.listeners()).toBe(0))
    expect(server.connections()).toBe(0)
  })

  it('drops a client that does not read instead of keeping everything for it', async () => {
    const socket = raw('/rpc', ['godhand', `token.${server.token}`])
    await once(socket, 'open')
    socket.pause()
    const text = 'x'.repeat(1024 * 1024)
    for (let sent = 0; sent < 80; sent += 1)
      engine.tell({ type: 'activity', taskId: 't', phase: 'looking', text: `${sent}${text}` })
    await vi.waitFor(() => expect(server.connections()).toBe(0))
    expect(engine.listeners()).toBe(0)
    socket.terminate()
  })

  it.each([
    ['not JSON', 'hello'],
    ['not a message', '{"id":"x"}'],
  ])('closes a connection that speaks something else: %s', async (_name, text) => {
    const socket = raw('/rpc', ['godhand', `token.${server.token}`])
    await once(socket, 'open')
    socket.send(text)
    expect((await once(socket, 'close'))[0]).toBe(1007)
  })

  it('closes a connection whose message is too large', async () => {
    const socket = raw('/rpc', ['godhand', `token.${server.token}`])
    await once(socket, 'open')
    socket.on('error', () => {})
    socket.send(Buffer.alloc(17 * 1024 * 1024, 'x').toString())
    expect((await once(socket, 'close'))[0]).toBe(1009)
  })

  it('passes the wish to end the engine on to whoever started it, after saying yes', async () => {
    expect(await client().call('engine.shutdown', {})).toEqual({})
    expect(shutdowns).toBe(1)
  })

  it('refuses a wrong token, and the client knows why', async () => {
    await expect(client(undefined, 'wrong').call('vm.list', {})).rejects.toMatchObject({ code: 'unauthorized' })
  })

  it.each([
    ['no token', ['godhand'], {}],
    ['a foreign origin', ['godhand', 'TOKEN'], { origin: 'http://evil.example' }],
    ['a foreign host', ['godhand', 'TOKEN'], { host: 'evil.example' }],
  ])('refuses the upgrade with %s', async (_name, protocols, headers) => {
    const withToken = protocols.map((name) => (name === 'TOKEN' ? `token.${server.token}` : name))
    expect(await refusal(raw('/rpc', withToken, headers))).toBe(401)
  })

  it('takes the session of a browser only together with its own origin', async () => {
    const entered = await fetch(server.newLink(), { redirect: 'manual' })
    const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? ''
    expect(await refusal(raw('/rpc', ['godhand'], { cookie }))).toBe(401)
    const socket = raw('/rpc', ['godhand'], { cookie, origin: `http://127.0.0.1:${server.port}` })
    await once(socket, 'open')
    socket.terminate()
  })
})

describe('/vnc', () => {
  const open = async (path: string) => {
    const socket = raw(path, ['binary', `token.${server.token}`])
    await once(socket, 'open')
    return socket
  }

  it('carries bytes both ways, whole and in order', async () => {
    const socket = await open('/vnc/echo')
    expect(socket.protocol).toBe('binary')
    const sent = randomBytes(12 * 1024 * 1024)
    const received: Buffer[] = []
    let length = 0
    const all = new Promise<void>((resolve) => {
      socket.on('message', (data: Buffer) => {
        received.push(data)
        length += data.length
        if (length === sent.length) resolve()
      })
    })
    for (let at = 0; at < sent.length; at += 1024 * 1024) socket.send(sent.subarray(at, at + 1024 * 1024))
    await all
    expect(Buffer.concat(received).equals(sent)).toBe(true)
    socket.terminate()
  })

  it('says 404 for a machine that is not there', async () => {
    expect(await refusal(raw('/vnc/nobody', ['binary', `token.${server.token}`]))).toBe(404)
    expect(await refusal(raw('/vnc/echo', ['binary']))).toBe(401)
  })
})

describe('/terminal', () => {
  it('carries keystrokes and output as bytes, and takes the size of the window as text', async () => {
    const socket = raw('/terminal/echo', ['binary', `token.${server.token}`])
    await once(socket, 'open')
    const next = async () => String((await once(socket, 'message'))[0])
    socket.send(Buffer.from('ls\r'))
    expect(await next()).toBe('ls\r')
    socket.send(JSON.stringify({ columns: 120, rows: 40 }))
    expect(await next()).toBe('120x40')
    socket.terminate()
  })

  it('is closed to whoever has no token, says 404 where there is no machine, and hangs up on nonsense', async () => {
    expect(await refusal(raw('/terminal/echo', ['binary']))).toBe(401)
    expect(await refusal(raw('/terminal/nobody', ['binary', `token.${server.token}`]))).toBe(404)
    const socket = raw('/terminal/echo', ['binary', `token.${server.token}`])
    await once(socket, 'open')
    socket.send(JSON.stringify({ columns: -1, rows: 'many' }))
    const [code] = await once(socket, 'close')
    expect(code).toBe(1007)
  })
})

describe('leaving', () => {
  it('is not held up by connections that are still open', async () => {
    const socket = raw('/rpc', ['godhand', `token.${server.token}`])
    await once(socket, 'open')
    socket.pause()
    const idle = connectTcp(server.port, '127.0.0.1')
    await once(idle, 'connect')
    const began = Date.now()
    await server.close()
    expect(Date.now() - began).toBeLessThan(5000)
    idle.destroy()
    socket.terminate()
  })
})
