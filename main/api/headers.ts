import type { ServerResponse } from 'node:http'

/** On every answer: nothing from elsewhere is loaded, nobody frames us, and no address leaks out. */
export function setSecurityHeaders(response: ServerResponse, port: number): void {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    // Toasts and scroll areas of the UI library write <style> elements; scripts stay closed to that.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "manifest-src 'self'",
    `connect-src 'self' ws://127.0.0.1:${port} ws://localhost:${port}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ]
  response.setHeader('Content-Security-Policy', policy.join('; '))
  response.setHeader('X-Content-Type-Options', 'nosniff')
  response.setHeader('Referrer-Policy', 'no-referrer')
  response.setHeader('Cross-Origin-Resource-Policy', 'same-origin')
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin')
  response.setHeader('X-Frame-Options', 'DENY')
  response.setHeader('Cache-Control', 'no-store')
}
