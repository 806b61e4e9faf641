import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { GodHandError } from '../contract/errors.ts'
import { silentLog } from '../log.ts'
import { type EngineServer, startServer } from './server.ts'
import { FRAME, fakeEngine, PNG } from './testing/fake-engine.ts'

let folder: string
let server: EngineServer
let base: string

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'godhand-api-'))
  mkdirSync(path.join(folder, 'ui', 'assets'), { recursive: true })
  writeFileSync(path.join(folder, 'ui', 'index.html'), '<title>the page</title>')
  writeFileSync(path.join(folder, 'ui', 'assets', 'main-Bx3k9QaZ.js'), 'page()')
  writeFileSync(path.join(folder, 'ui', '.hidden'), 'hidden')
  writeFileSync(path.join(folder, 'secret.txt'), 'secret')
  server = await startServer({
    engine: fakeEngine(),
    log: silentLog,
    uiFolder: path.join(folder, 'ui'),
    port: 0,
    onShutdown: () => {},
  })
  base = `http://127.0.0.1:${server.port}`
})

afterEach(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

type Answer = { status: number; headers: Record<string, string | string[] | undefined>; body: string }

/** Without fetch, which would not let a test lie about Host, nor send a path as it stands. */
function ask(pathname: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { host: '127.0.0.1', port: server.port, path: pathname, method, headers },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks).toString(),
          }),
        )
      },
    )
    request.on('error', reject).end()
  })
}

const bearer = () => ({ authorization: `Bearer ${server.token}` })

async function cookieFromLink(): Promise<string> {
  const { headers } = await ask(server.newLink().slice(base.length))
  return String(headers['set-cookie']).split(';')[0] ?? ''
}

describe('who gets in', () => {
  it('answers the bearer of the token', async () => {
    expect(JSON.parse((await ask('/ping', bearer())).body)).toEqual({ pid: process.pid })
  })

  it.each([
    ['no token', {}],
    ['a wrong token', { authorization: 'Bearer wrong' }],
    ['a token of the right length', { authorization: `Bearer ${'x'.repeat(43)}` }],
    ['a made-up cookie', { cookie: 'godhand=1' }],
  ])('refuses %s with 401', async (_name, headers) => {
    const answer = await ask('/ping', headers)
    expect(answer.status).toBe(401)
    expect(JSON.parse(answer.body).error).toMatchObject({ code: 'unauthorized', hint: expect.stringContaining('open') })
  })

  it.each([
    ['a name rebound to this address', { host: 'evil.example' }],
    ['another port in Host', { host: '127.0.0.1:1' }],
    ['a foreign origin', { origin: 'http://evil.example' }],
    ['a page on another port', { origin: 'http://127.0.0.1:1' }],
    ['a sandboxed page', { origin: 'null' }],
  ])('refuses %s even with the token', async (_name, headers) => {
    expect((await ask('/ping', { ...bearer(), ...headers })).status).toBe(403)
  })

  it('serves localhost by name as well', async () => {
    const host = `localhost:${server.port}`
    expect((await ask('/ping', { ...bearer(), host, origin: `http://${host}` })).status).toBe(200)
  })

  it('turns a one-time code into a session that only scripts of no page can read', async () => {
    const link = server.newLink().slice(base.length)
    const entered = await ask(link)
    expect(entered.status).toBe(303)
    expect(entered.headers.location).toBe('/')
    expect(String(entered.headers['set-cookie'])).toMatch(/; HttpOnly; SameSite=Strict$/)
    expect(String(entered.headers['set-cookie'])).not.toContain(server.token)
    const cookie = String(entered.headers['set-cookie']).split(';')[0] ?? ''
    expect((await ask('/', { cookie })).body).toContain('the page')

    const again = await ask(link, { accept: 'text/html' })
    expect(again.status).toBe(403)
    expect(again.body).toContain('npx godhand open')
    expect(again.headers['set-cookie']).toBeUndefined()
    expect((await ask(link, { cookie })).status, 'a reload where it was used').toBe(303)
  })

  it('hands over by a page of its own when the link was clicked on another site', async () => {
    const entered = await ask(server.newLink().slice(base.length), {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
    })
    expect(entered.status).toBe(200)
    expect(entered.body).toContain('url=/')
    expect(entered.headers['set-cookie']).toBeDefined()
  })

  it('does not let a look at the link use it up', async () => {
    const link = server.newLink().slice(base.length)
    await ask(link, {}, 'HEAD')
    expect((await ask(link)).status).toBe(303)
  })

  it('shows who comes without a session the way to a link', async () => {
    const answer = await ask('/', { accept: 'text/html' })
    expect(answer.status).toBe(403)
    expect(answer.body).toContain('npx godhand open')
  })

  it('does not take a cookie that another page of the same host made the browser send', async () => {
    const cookie = await cookieFromLink()
    const fromElsewhere = { cookie, 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' }
    expect((await ask(`/frames/${FRAME}.png`, fromElsewhere)).status).toBe(403)
    expect((await ask('/link', { ...fromElsewhere, 'sec-fetch-mode': 'navigate' }, 'POST')).status).toBe(403)
    expect((await ask(`/frames/${FRAME}.png`, { cookie, 'sec-fetch-site': 'same-origin' })).status).toBe(200)
  })

  it('makes a fresh link for the bearer of the token', async () => {
    const { url } = JSON.parse((await ask('/link', bearer(), 'POST')).body)
    expect((await ask(String(url).slice(base.length))).status).toBe(303)
    expect((await ask('/link', {}, 'POST')).status).toBe(401)
  })
})

describe('what is served', () => {
  it('lets the page load and connect to nothing but itself', async () => {
    const { headers } = await ask('/', bearer())
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('*')
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
    })
  })

  it('keeps hashed assets for good and asks for the page anew', async () => {
    const asset = await ask('/assets/main-Bx3k9QaZ.js', bearer())
    expect(asset).toMatchObject({ status: 200, body: 'page()' })
    expect(asset.headers['cache-control']).toContain('immutable')
    expect(asset.headers['content-type']).toContain('text/javascript')
    expect((await ask('/', bearer())).headers['cache-control']).toBe('no-cache')
  })

  it('gives the page for places inside it, but not for files that are not there', async () => {
    expect((await ask('/tasks/task-1', bearer())).body).toContain('the page')
    expect((await ask('/assets/gone-12345678.js', bearer())).status).toBe(404)
  })

  it.each([
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/assets/..%5c..%5csecret.txt',
    '/.hidden',
    '/%00',
    '/%zz',
  ])('never leaves its folder: %s', async (pathname) => {
    const answer = await ask(pathname, bearer())
    expect(answer.body).not.toContain('secret\n')
    expect(answer.body).not.toBe('secret')
    expect(answer.body).not.toBe('hidden')
    expect([400, 404]).toContain(answer.status)
  })

  it('gives a trace as a download, in the formats there are', async () => {
    const trace = await ask('/traces/task_1/html', bearer())
    expect(trace).toMatchObject({ status: 200, body: 'trace' })
    expect(trace.headers['content-disposition']).toBe('attachment; filename="a.html"')
    expect((await ask('/traces/task_2/html', bearer())).status).toBe(404)
    expect((await ask('/traces/task_1/exe', bearer())).status).toBe(400)
  })

  it('gives a stored frame by its hash', async () => {
    const frame = await ask(`/frames/${FRAME}.png`, bearer())
    expect(frame).toMatchObject({ status: 200, body: PNG.toString() })
    expect((await ask(`/frames/${'0'.repeat(64)}.png`, bearer())).status).toBe(404)
    expect((await ask('/frames/../godhand.db', bearer())).status).toBe(404)
    expect((await ask(`/frames/${FRAME}.png`)).status).toBe(401)
  })

  it('gives a file of the guest out as a download of bytes, never as a page', async () => {
    const file = await ask('/files/echo?path=/home/user/b%C3%B6se%22.html', bearer())
    expect(file).toMatchObject({ status: 200, body: '<script>from the guest</script>' })
    expect(file.headers['content-type']).toBe('application/octet-stream')
    expect(file.headers['x-content-type-options']).toBe('nosniff')
    expect(file.headers['content-disposition']).toBe(
      `attachment; filename="b_se_.html"; filename*=UTF-8''b%C3%B6se%22.html`,
    )
    expect((await ask('/files/echo?path=/etc/hostname')).status).toBe(401)
    expect((await ask('/files/nobody?path=/etc/hostname', bearer())).status).toBe(404)
  })

  it('only reads, apart from links', async () => {
    expect((await ask('/', bearer(), 'DELETE')).status).toBe(405)
  })
})

describe('ports', () => {
  it('says which port is taken and what to do', async () => {
    const blocker = createServer()
    const port = await new Promise<number>((resolve) => {
      blocker.listen(0, '127.0.0.1', () => {
        const address = blocker.address()
        resolve(typeof address === 'object' ? (address?.port ?? 0) : 0)
      })
    })
    const options = { engine: fakeEngine(), log: silentLog, uiFolder: folder, onShutdown: () => {} }
    await expect(startServer({ ...options, port })).rejects.toMatchObject({
      code: 'port_taken',
      message: expect.stringContaining(String(port)),
      hint: expect.stringContaining('--port'),
    })
    blocker.close()
  })

  it('takes another when nobody asked for a certain one', async () => {
    const options = { engine: fakeEngine(), log: silentLog, uiFolder: folder, onShutdown: () => {} }
    const [first, second] = [await startServer(options), await startServer(options)]
    expect(first.port).not.toBe(second.port)
    await Promise.all([first.close(), second.close()])
  })
})

describe('a dropped trace', () => {
  it('reaches the engine as a file that holds what was sent, and is gone afterwards', async () => {
    let seen = { file: '', holds: '' }
    await server.close()
    server = await startServer({
      engine: fakeEngine({
        'trace.import': ({ file }) => {
          seen = { file, holds: readFileSync(file, 'utf8') }
          throw new GodHandError('bad_request', 'This is not a trace.')
        },
      }),
      log: silentLog,
      uiFolder: path.join(folder, 'ui'),
      port: 0,
      onShutdown: () => {},
    })
    const post = (headers: Record<string, string>) =>
      fetch(`http://127.0.0.1:${server.port}/traces`, { method: 'POST', body: 'a bundle', headers })
    expect((await post({})).status).toBe(401)
    const refused = await post(bearer())
    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({ error: { message: 'This is not a trace.' } })
    expect(seen.holds).toBe('a bundle')
    expect(existsSync(seen.file)).toBe(false)
  })
})
