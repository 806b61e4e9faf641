import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type WebSocket, WebSocketServer } from 'ws'
import { GodHandError } from '../../main/contract/errors.ts'
import { ClientMessage, type MethodName, methods } from '../../main/contract/rpc.ts'
import { answering } from './fake-calls.ts'
import { fakeAttachment } from './fake-desk.ts'
import { pictureOf } from './fake-frames.ts'
import { serveShell } from './fake-guest.ts'
import { growForest } from './fake-tree.ts'
import { serveScreen } from './fake-vnc.ts'
import { FakeWorld } from './fake-world.ts'

/**
 * A make-believe engine for work on the UI: no machine, canned answers, drawn screens. Nothing of it ships.
 *   vite build && node app/dev/fake-engine.ts [--port 7700] [--pace 1500] [--readiness preparing|broken] [--empty] [--long 1000] [--tree 1000]
 */
const { values: options } = parseArgs({
  options: {
    port: { type: 'string', default: '7700' },
    pace: { type: 'string', default: '1500' },
    readiness: { type: 'string', default: 'ready' },
    empty: { type: 'boolean', default: false },
    long: { type: 'string', default: '0' },
    tree: { type: 'string', default: '0' },
  },
})

const built = fileURLToPath(new URL('../../dist/app', import.meta.url))
const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}
// As strict as the real server's, so that a violation shows up here first.
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const world = new FakeWorld()
if (!options.empty) await world.fill(Date.now(), Number(options.long))
await growForest(world, Number(options.tree))
if (options.readiness === 'preparing')
  world.readiness = {
    kind: 'preparing',
    progress: { step: 'Unpacking packages', done: 212, total: 486, detail: 'firefox-esr' },
  }
if (options.readiness === 'broken')
  world.readiness = {
    kind: 'broken',
    error: {
      code: 'image_build_failed',
      message: 'The guest image could not be built: the package list did not load.',
      hint: 'Check the network and run `npm start` again; it goes on where it stopped.',
    },
  }
const { answer } = answering(world, Number(options.pace))

const server = createServer(async (request, response) => {
  const { pathname: path, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  if (path === '/attachments') {
    const bytes = (await request.toArray()).reduce((sum: number, chunk: Buffer) => sum + chunk.length, 0)
    response.end(JSON.stringify(fakeAttachment(searchParams.get('name') ?? 'file', bytes)))
    return
  }
  const frame = /^\/frames\/([0-9a-f]+)\.png$/.exec(path)
  if (frame?.[1]) {
    const picture = pictureOf(frame[1])
    response.writeHead(picture ? 200 : 404, { 'content-type': 'image/png', 'cache-control': 'immutable' }).end(picture)
    return
  }
  const made = world.exports.get(path.replace('/exports/', ''))
  if (made) {
    response.writeHead(200, { 'content-disposition': `attachment; filename="${made.name}"` }).end('a make-believe file')
    return
  }
  if (path.startsWith('/files/')) {
    response.writeHead(200, { 'content-disposition': 'attachment' }).end('from the guest')
    return
  }
  const file = extname(path) ? normalize(path) : 'index.html'
  const body = await readFile(join(built, file)).catch(() => undefined)
  response
    .writeHead(body ? 200 : 404, {
      'content-type': types[extname(file)] ?? 'application/octet-stream',
      'content-security-policy': policy,
    })
    .end(body)
})

const sockets = new WebSocketServer({
  server,
  handleProtocols: (offered) => ['godhand', 'binary'].find((name) => offered.has(name)) ?? false,
})
sockets.on('connection', (socket, request) => {
  if (request.url?.startsWith('/terminal/')) return serveShell(socket)
  const screen = /^\/vnc\/([^/?]+)/.exec(request.url ?? '')
  if (screen?.[1]) {
    const id = decodeURIComponent(screen[1])
    serveScreen(socket, () => ({ ...world.scenes.get(id), clock: new Date().toLocaleTimeString('en-GB') }))
  } else serveCalls(socket)
})

function serveCalls(socket: WebSocket): void {
  const listener = (event: unknown) => socket.send(JSON.stringify({ event }))
  world.listeners.add(listener)
  socket.on('close', () => world.listeners.delete(listener))
  socket.on('message', async (data) => {
    const { id, method, params } = ClientMessage.parse(JSON.parse(String(data)))
    try {
      if (!isMethod(method)) throw new GodHandError('bad_request', `There is no method ${method}.`)
      socket.send(JSON.stringify({ id, result: await answer(method, methods[method].input.parse(params)) }))
    } catch (thrown) {
      socket.send(JSON.stringify({ id, error: GodHandError.from(thrown).toInfo() }))
    }
  })
}

function isMethod(name: string): name is MethodName {
  return Object.hasOwn(methods, name)
}

server.listen(Number(options.port), '127.0.0.1', () => {
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : null
  console.log(`A make-believe engine for UI work is at http://127.0.0.1:${port}`)
})
