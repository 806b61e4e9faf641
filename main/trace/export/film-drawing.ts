import type { Point } from '../../contract/action.ts'
import type { Step } from '../../contract/task.ts'

type Caption = { title: string; text: string; verdict: Step['verdict'] | null }

const colours: Record<Step['verdict'], string> = { pass: '#2e9e5b', fail: '#d64545', unchecked: '#6b7280' }
const words: Record<Step['verdict'], string> = { pass: 'VERIFIED', fail: 'FAILED', unchecked: 'DONE' }

/** Two lines and a badge under the screen, as SVG. The height is even, like the screen's. */
export function captionBar(width: number, { title, text, verdict }: Caption): { bar: Buffer; height: number } {
  const size = Math.max(11, Math.round(width / 58))
  const height = Math.round(size * 2) * 2
  const letters = Math.floor(width / (size * 0.56))
  const badge = verdict
    ? `<rect x="${width - size * 7}" y="${size * 0.6}" width="${size * 6.4}" height="${size * 1.5}" rx="${size / 3}" fill="${colours[verdict]}"/>
       <text x="${width - size * 3.8}" y="${size * 1.68}" text-anchor="middle" font-weight="bold" font-size="${size * 0.85}" fill="#fff">${words[verdict]}</text>`
    : ''
  const bar = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="Inter, 'Segoe UI', 'Helvetica Neue', 'DejaVu Sans', sans-serif">
    <rect width="100%" height="100%" fill="#14161b"/>
    <text x="${size}" y="${size * 1.7}" font-size="${size}" font-weight="bold" fill="#fff">${fit(title, letters - 15)}</text>
    <text x="${size}" y="${size * 3.2}" font-size="${size}" fill="#b8c0cc">${fit(text, letters - 2)}</text>${badge}</svg>`
  return { bar: Buffer.from(bar), height }
}

/** A ring where the hand is. */
export function marker(size: { width: number; height: number }, at: Point): Buffer {
  const radius = Math.max(8, Math.round(size.width / 60))
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}">
    <circle cx="${at.x}" cy="${at.y}" r="${radius}" fill="#ffb02033" stroke="#fff" stroke-width="4"/>
    <circle cx="${at.x}" cy="${at.y}" r="${radius}" fill="none" stroke="#ff8a00" stroke-width="2"/></svg>`)
}

function fit(text: string, letters: number): string {
  const shown = text.length > letters ? `${text.slice(0, Math.max(1, letters - 1))}…` : text
  // XML has no way at all to write control characters.
  return shown
    .toWellFormed()
    .replace(/\p{Cc}/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}
