import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { sendError, sendMissingUiPage } from './answers.ts'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
}

/** Vite writes a content hash into the names of what it bundles, so such a file never changes. */
const HASHED = /^assets\/.+-[\w-]{8,}\.\w+$/

/** The file a request path names inside the folder, or null when it points outside or at a hidden file. */
export function fileWithin(folder: string, pathname: string): string | null {
  let decoded: string
  try {
    decoded = decodeURIComponent(pathname)
  } catch {
    return null
  }
  if (decoded.includes('\0') || decoded.includes('\\')) return null
  const parts = decoded.split('/').filter((part) => part !== '')
  if (parts.some((part) => part.startsWith('.'))) return null
  return path.join(folder, ...parts)
}

/** The built page. A path without a file is a place inside the page, so it gets index.html; a missing asset does not. */
export async function sendStatic(
  folder: string,
  pathname: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const wanted = fileWithin(folder, pathname)
  if (wanted === null) return sendError(response, 400, { code: 'bad_request', message: 'That is not a path here.' })
  const index = path.join(folder, 'index.html')
  const found = (await fileSize(wanted)) !== null ? wanted : path.extname(pathname) === '' ? index : null
  if (found === null) return sendError(response, 404, { code: 'not_found', message: `There is no ${pathname} here.` })
  const size = await fileSize(found)
  if (size === null) return sendMissingUiPage(response)
  const name = path.relative(folder, found).split(path.sep).join('/')
  response.writeHead(200, {
    'Content-Type': types[path.extname(found)] ?? 'application/octet-stream',
    'Content-Length': size,
    'Cache-Control': HASHED.test(name) ? 'private, max-age=31536000, immutable' : 'no-cache',
  })
  if (request.method === 'HEAD') response.end()
  else await pipeline(createReadStream(found), response)
}

async function fileSize(file: string): Promise<number | null> {
  const found = await stat(file).catch(() => null)
  return found?.isFile() ? found.size : null
}
