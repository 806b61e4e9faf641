import http from 'node:http'
import net from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { EgressAttempt } from '../../contract/egress.ts'
import { type Egress, type EgressOptions, openEgress } from './proxy.ts'

/** The guest's end of the proxy is a port of this test; what it reaches are servers of this test. */
let attempts: EgressAttempt[]
let closers: (() => void)[]
let reached: string[]
let website: number
let echo: number

beforeEach(async () => {
  attempts = []
  closers = []
  reached = []
  website = await listening(
    http.createServer((request, response) => {
      reached.push(`${request.method} ${request.headers.host}${request.url}`)
      response.setHeader('x-headers', Object.keys(request.headers).join(' '))
      request.on('data', () => {})
      request.on('end', () => response.end('a page'))
    }),
  )
  echo = await listening(
    net.createServer({ allowHalfOpen: true }, (socket) => {
      reached.push('echo')
      socket.on('error', () => {})
      socket.pipe(socket)
    }),
  )
})

afterEach(() => {
  for (const close of closers) close()
})

async function listening(server: net.Server | http.Server): Promise<number> {
  const open = new Set<net.Socket>()
  server.on('connection', (socket: net.Socket) => open.add(socket))
  closers.push(() => {
    server.close()
    for (const socket of open) socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

async function proxy(options: Partial<EgressOptions> & { allow: string[] }): Promise<{ port: number; egress: Egress }> {
  const resolve = async (host: string) => {
    if (host.endsWith('.missing')) throw new Error('ENOTFOUND')
    return ['127.0.0.1']
  }
  const list = attempts // of this test; closing reports into it when the next one already runs
  const egress = openEgress({ resolve, onAttempt: (attempt) => list.push(attempt), ...options })
  closers.push(() => egress.close())
  return { port: await listening(net.createServer({ allowHalfOpen: true }, (socket) => egress.accept(socket))), egress }
}

const allowEverythingHere = () =>
  ['good.test:*', '127.0.0.1:*'].flatMap((rule) => [website, echo].map((port) => rule.replace('*', `${port}`)))

async function connect(
  proxyPort: number,
  target: string,
): Promise<{ status: number; body: string; socket: net.Socket }> {
  return new Promise((resolve, reject) => {
    const request = http.request({ host: '127.0.0.1', port: proxyPort, method: 'CONNECT', path: target, agent: false })
    request.once('connect', (response, socket, head) => {
      const status = response.statusCode ?? 0
      socket.on('error', () => {})
      if (head.length > 0 && status === 200) socket.unshift(head)
      if (status === 200) resolve({ status, body: '', socket: socket as net.Socket })
      else
        text(socket).then((rest) => resolve({ status, body: `${head}${rest}`, socket: socket as net.Socket }), reject)
    })
    request.once('error', reject)
    request.end()
  })
}

function get(proxyPort: number, url: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; body: string; headers: http.IncomingHttpHeaders }>((resolve, reject) => {
    const request = http.request({ host: '127.0.0.1', port: proxyPort, path: url, headers, agent: false })
    request.once('response', (response) =>
      text(response).then(
        (body) => resolve({ status: response.statusCode ?? 0, body, headers: response.headers }),
        reject,
      ),
    )
    request.once('error', reject)
    request.end()
  })
}

const outcome = (wanted: EgressAttempt['outcome']) =>
  expect.poll(() => attempts.find((attempt) => attempt.outcome === wanted), { timeout: 5000 })

it('carries bytes both ways through a tunnel to an allowed host, and reports how many', async () => {
  const { port } = await proxy({ allow: allowEverythingHere() })
  const { status, socket } = await connect(port, `good.test:${echo}`)
  expect(status).toBe(200)
  socket.end('hello there')
  expect(await text(socket)).toBe('hello there')
  await outcome('closed').toMatchObject({
    host: 'good.test',
    port: echo,
    method: 'CONNECT',
    address: '127.0.0.1',
    bytesUp: 11,
    bytesDown: 11,
  })
  expect(attempts.map(({ outcome }) => outcome)).toEqual(['open', 'closed'])
})

it('delivers everything a server said before it closed, however slowly the guest reads', async () => {
  const size = 8 * 1024 * 1024
  const big = await listening(net.createServer((socket) => socket.end(Buffer.alloc(size, 1))))
  const { port } = await proxy({ allow: [`good.test:${big}`, `127.0.0.1:${big}`] })
  const { socket } = await connect(port, `good.test:${big}`)
  let got = 0
  for await (const chunk of socket) {
    got += (chunk as Buffer).length
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(got).toBe(size)
})

it('passes a plain request on with the host that was decided on and without the proxy’s own headers', async () => {
  const { port } = await proxy({ allow: allowEverythingHere() })
  const answer = await get(port, `http://good.test:${website}/path?q=1`, {
    Host: 'other.test',
    'Proxy-Authorization': 'secret',
    'Proxy-Connection': 'keep-alive',
    'X-Kept': 'yes',
  })
  expect(answer).toMatchObject({ status: 200, body: 'a page' })
  expect(reached).toEqual([`GET good.test:${website}/path?q=1`])
  expect(answer.headers['x-headers']).toContain('x-kept')
  expect(answer.headers['x-headers']).not.toContain('proxy')
})

it('refuses a host that is not listed, says why, and lets nothing reach it', async () => {
  const { port } = await proxy({ allow: [`good.test:${website}`, `127.0.0.1:${website}`] })
  const tunnel = await connect(port, `evil.test:${website}`)
  expect(tunnel.status).toBe(403)
  expect(tunnel.body).toContain('not on the allowlist')
  expect((await get(port, `http://evil.test:${website}/`)).status).toBe(403)
  expect((await connect(port, `good.test:${echo}`)).status).toBe(403)
  expect(reached).toEqual([])
  expect(attempts.map(({ outcome, host, port }) => [outcome, host, port])).toEqual([
    ['refused', 'evil.test', website],
    ['refused', 'evil.test', website],
    ['refused', 'good.test', echo],
  ])
})

it('refuses an allowed name that points at this host', async () => {
  const { port } = await proxy({ allow: [`good.test:${website}`] })
  const answer = await get(port, `http://good.test:${website}/`)
  expect(answer.status).toBe(403)
  expect(answer.body).toContain('private network')
  expect(reached).toEqual([])
})

it('connects to the address it looked at, although the name points elsewhere a moment later', async () => {
  let asked = 0
  const resolve = async () => (asked++ === 0 ? ['127.0.0.1'] : ['127.0.0.2'])
  const { port } = await proxy({ allow: [`good.test:${echo}`, `127.0.0.1:${echo}`], resolve })
  expect((await connect(port, `good.test:${echo}`)).status).toBe(200)
  expect(asked).toBe(1)
  expect(attempts[0]?.address).toBe('127.0.0.1')
})

it('says that an allowed host cannot be found or does not answer', async () => {
  const { port } = await proxy({ allow: ['nobody.missing', '127.0.0.1:1'] })
  expect(await connect(port, 'nobody.missing:443')).toMatchObject({ status: 502 })
  expect(await connect(port, '127.0.0.1:1')).toMatchObject({ status: 502 })
  expect(attempts.map(({ outcome }) => outcome)).toEqual(['failed', 'failed'])
})

it('holds no more connections than it may, and takes the next one when one has closed', async () => {
  const { port } = await proxy({ allow: allowEverythingHere(), maxConnections: 2 })
  const first = await connect(port, `good.test:${echo}`)
  await connect(port, `good.test:${echo}`)
  const third = await connect(port, `good.test:${echo}`)
  expect(third.status).toBe(503)
  expect(third.body).toContain('too many connections')
  first.socket.destroy()
  await outcome('closed').toBeDefined()
  expect((await connect(port, `good.test:${echo}`)).status).toBe(200)
})

it('ends every connection when it is closed, and takes none after that', async () => {
  const { port, egress } = await proxy({ allow: allowEverythingHere() })
  const { socket } = await connect(port, `good.test:${echo}`)
  const ended = new Promise((resolve) => socket.once('close', resolve))
  egress.close()
  await ended
  await outcome('closed').toBeDefined()
  await expect(connect(port, `good.test:${echo}`)).rejects.toThrow()
})

it('answers a request that is not for a proxy with an explanation', async () => {
  const { port } = await proxy({ allow: allowEverythingHere() })
  expect(await get(port, '/index.html')).toMatchObject({ status: 400, body: expect.stringContaining('proxy') })
  expect(await get(port, 'ftp://good.test/file')).toMatchObject({ status: 400 })
})
