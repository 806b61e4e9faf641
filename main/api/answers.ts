import type { ServerResponse } from 'node:http'
import type { ErrorInfo } from '../contract/errors.ts'

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' })
  response.end(JSON.stringify(body))
}

export function sendError(response: ServerResponse, status: number, error: ErrorInfo): void {
  sendJson(response, status, { error })
}

/** Part of the page, and of the locked one: it holds no secret, so everyone may have it. */
export const RETURNING_SCRIPT = '/returning.js'

/** For a person who opened an old link, or none: what happened and the one thing to do. */
export function sendLockedPage(response: ServerResponse): void {
  sendPage(
    response,
    403,
    'This link has been used',
    '<h1>This link has been used</h1><p>A link to GodHand opens one browser, once, and stops working when GodHand restarts.</p>' +
      '<p>For a fresh one, run this in the project folder:</p><pre>npx godhand open</pre>' +
      `<script src="${RETURNING_SCRIPT}" data-reload></script>`, // a window known before the restart gets in by itself
  )
}

/**
 * Hands a browser over to the page itself. A redirect would carry on the other site's request, and a strict cookie is
 * not sent along with that; a page of our own that moves on starts a new one.
 */
export function sendWelcomePage(response: ServerResponse): void {
  sendPage(response, 200, 'GodHand', '<meta http-equiv="refresh" content="0;url=/"><p>Opening GodHand…</p>')
}

export function sendMissingUiPage(response: ServerResponse): void {
  sendPage(
    response,
    503,
    'The page is not built',
    '<h1>The page is not built yet</h1><p>The engine runs, but its page has not been built. Run this in the project folder:</p>' +
      '<pre>npm start</pre>',
  )
}

function sendPage(response: ServerResponse, status: number, title: string, body: string): void {
  response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8' })
  response.end(
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>` +
      '<style>body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:20vh auto;padding:0 1.5rem;color:#1c1c28;background:#f6f5f2}' +
      'h1{font-size:1.4rem}pre{background:#1c1c28;color:#f6f5f2;padding:.8rem 1rem;border-radius:.5rem}' +
      `@media(prefers-color-scheme:dark){body{color:#f6f5f2;background:#16161d}pre{background:#2a2a36}}</style><body>${body}</body></html>`,
  )
}
