import type { IncomingMessage, ServerResponse } from 'node:http'
import { GodHandError } from '../contract/errors.ts'
import type { Engine } from '../engine.ts'
import { RETURNING_SCRIPT, sendError, sendJson, sendLockedPage, sendWelcomePage } from './answers.ts'
import { setSecurityHeaders } from './headers.ts'
import type { OneTimeCodes } from './one-time-codes.ts'
import { type ReturningWindows, receiveProof } from './returning.ts'
import { sendExport } from './send-export.ts'
import { sendStatic } from './static-files.ts'
import { sendSupportBundle } from './support.ts'
import { receiveAttachment, receiveTrace } from './upload.ts'
import type { Doorkeeper } from './visitor.ts'

export type RouteOptions = {
  engine: Engine
  doorkeeper: Doorkeeper
  codes: OneTimeCodes
  windows: ReturningWindows
  uiFolder: string
  newLink: () => string
}

const TRACE = /^\/traces\/([a-z0-9_]+)\/([a-z]+)$/
const EXPORT = /^\/exports\/(work_[a-z0-9]+)$/
const GUEST_FILE = /^\/files\/([\w-]{1,100})$/
const FRAME = /^\/frames\/([0-9a-f]{64})\.png$/

/**
 *  GET  /?code=…          a browser's way in: a one-time code becomes a session
 *  POST /session/challenge, /session   a window's way back to an engine that was restarted
 *  POST /session/key      what it needs for that, given while it is known
 *  GET  /frames/<hash>.png a stored screen
 *  GET  /traces/<task>/<format> a trace as a download
 *  GET  /exports/<export> a finished export, to be fetched
 *  GET  /files/<machine>?path=… a file of a guest as a download
 *  POST /traces          a trace bundle, to be imported
 *  GET  /support.zip      what helps whoever helps
 *  POST /attachments      a file for a task to come
 *  GET  /ping             who answers here
 *  POST /link             a fresh one-time link
 *  GET  anything else     the page
 */
export async function answerHttp(options: RouteOptions, request: IncomingMessage, response: ServerResponse) {
  const port = request.socket.localPort ?? 0
  setSecurityHeaders(response, port)
  const visitor = options.doorkeeper.identify(request)
  if (visitor.kind === 'stranger')
    return sendError(response, 403, {
      code: 'unauthorized',
      message: `This request did not come from GodHand's own page (${visitor.reason}).`,
    })
  const url = new URL(request.url ?? '/', `http://127.0.0.1:${port}`)
  const isRead = request.method === 'GET' || request.method === 'HEAD'

  const code = url.searchParams.get('code')
  if (isRead && url.pathname === '/' && code !== null)
    return enterByCode(options, code, visitor.kind, request, response)
  if (request.method === 'POST' && url.pathname === '/session/challenge')
    return sendJson(response, 200, { challenge: options.windows.challenge() })
  if (request.method === 'POST' && url.pathname === '/session')
    return await receiveProof(options.windows, options.doorkeeper.sessionCookie(port), request, response)
  if (isRead && url.pathname === RETURNING_SCRIPT)
    return await sendStatic(options.uiFolder, url.pathname, request, response)
  if (visitor.kind === 'anonymous') return refuseAnonymous(request, response)

  if (url.pathname === '/session/key' && request.method === 'POST')
    return sendJson(response, 200, { key: options.windows.key })
  if (url.pathname === '/link' && request.method === 'POST') return sendJson(response, 200, { url: options.newLink() })
  if (url.pathname === '/traces' && request.method === 'POST')
    return await receiveTrace(options.engine, request, response)
  if (url.pathname === '/attachments' && request.method === 'POST')
    return await receiveAttachment(options.engine, url.searchParams.get('name') || 'file', request, response)
  if (!isRead) return sendError(response, 405, { code: 'bad_request', message: 'Only reading is possible here.' })
  if (url.pathname === '/ping') return sendJson(response, 200, { pid: process.pid })
  if (url.pathname === '/rpc' || /^\/(vnc|terminal)\//.test(url.pathname))
    return sendError(response, 426, { code: 'bad_request', message: 'This address speaks WebSocket only.' })
  if (url.pathname.startsWith('/frames/')) return await sendFrame(options.engine, url.pathname, response)
  if (url.pathname === '/support.zip') return await sendSupportBundle(options.engine, request, response)
  const trace = TRACE.exec(url.pathname)
  if (trace) {
    const { sendTrace } = await import('./send-trace.ts') // with the schemas of the contract, which the page can wait for
    return await sendTrace(options.engine, trace[1] ?? '', trace[2] ?? '', request, response)
  }
  const exportId = EXPORT.exec(url.pathname)?.[1]
  if (exportId !== undefined) return await sendExport(options.engine, exportId, request, response)
  const machineId = GUEST_FILE.exec(url.pathname)?.[1]
  if (machineId !== undefined)
    return await sendGuestFile(options.engine, machineId, url.searchParams.get('path') ?? '', response)
  await sendStatic(options.uiFolder, url.pathname, request, response)
}

function enterByCode(
  options: RouteOptions,
  code: string,
  visitor: 'anonymous' | 'known',
  request: IncomingMessage,
  response: ServerResponse,
) {
  const port = request.socket.localPort ?? 0
  // Link previews ask with HEAD; that must not use the code up.
  const entered = request.method === 'GET' && options.codes.redeem(code)
  // A reload of the used link in the browser it opened is no reason to lock that browser out.
  if (!entered && visitor === 'anonymous') return sendLockedPage(response)
  if (entered) response.setHeader('Set-Cookie', options.doorkeeper.sessionCookie(port))
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'none' && site !== 'same-origin') return sendWelcomePage(response)
  response.writeHead(303, { Location: '/' }).end()
}

function refuseAnonymous(request: IncomingMessage, response: ServerResponse) {
  if (request.headers.accept?.includes('text/html')) return sendLockedPage(response)
  sendError(response, 401, {
    code: 'unauthorized',
    message: 'No valid token came with this request.',
    hint: 'Run `npx godhand open` for a fresh link to the page.',
  })
}

async function sendFrame(engine: Engine, pathname: string, response: ServerResponse): Promise<void> {
  const hash = FRAME.exec(pathname)?.[1]
  const png = hash === undefined ? null : await engine.framePng(hash)
  if (png === null) return sendError(response, 404, { code: 'not_found', message: 'There is no such frame.' })
  response.writeHead(200, {
    'Content-Type': 'image/png',
    'Content-Length': png.length,
    'Cache-Control': 'private, max-age=31536000, immutable', // named by its content
  })
  response.end(png)
}

/** Always as a download of bytes: what a guest wrote must never be shown as a page of ours. */
async function sendGuestFile(engine: Engine, machineId: string, path: string, response: ServerResponse): Promise<void> {
  const { name, content } = await engine.guestFile(machineId, path)
  const plain = name.replace(/[^\w .()-]/g, '_')
  response.writeHead(200, {
    'Content-Type': 'application/octet-stream',
    'Content-Disposition': `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name)}`,
    'Content-Length': content.length,
  })
  response.end(content)
}

export function statusOf(error: GodHandError): number {
  if (error.code === 'not_found') return 404
  if (error.code === 'unauthorized') return 401
  if (error.code === 'bad_request') return 400
  if (error.code === 'conflict' || error.code === 'unsupported') return 409
  return 500
}

export function answerFailure(thrown: unknown, response: ServerResponse): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  const error = GodHandError.from(thrown)
  sendError(response, statusOf(error), error.toInfo())
}
