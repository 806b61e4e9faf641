import sharp from 'sharp'
import type { Point } from '../../contract/action.ts'
import type { RawFrame } from '../../sandbox/sandbox.ts'
import { decodePng } from '../../screen/frames.ts'

/** A made-up desktop with buttons whose places are known. */
export type Chart = { frame: RawFrame; targets: Target[] }
export type Target = { label: string; colour: string; at: Point }

const buttons: [label: string, colour: string][] = [
  ['Save', '#c62828'],
  ['Open', '#1565c0'],
  ['Print', '#2e7d32'],
  ['Mail', '#6a1b9a'],
  ['Music', '#ef6c00'],
  ['Photos', '#00838f'],
  ['Clock', '#4e342e'],
  ['Notes', '#ad1457'],
  ['Help', '#37474f'],
]
const WIDTH = 96
const HEIGHT = 40

/** One button in each ninth of the screen, at a place that `random` chooses, so that no answer can be known by heart. */
export async function drawChart(screen: { width: number; height: number }, random: () => number): Promise<Chart> {
  const targets = buttons.map(([label, colour], index): Target => {
    const within = (cell: number, size: number, button: number) =>
      Math.round((cell * size) / 3 + button / 2 + 4 + random() * (size / 3 - button - 8))
    const at = { x: within(index % 3, screen.width, WIDTH), y: within(Math.floor(index / 3), screen.height, HEIGHT) }
    return { label, colour, at }
  })
  const drawn = targets.map(
    ({ label, colour, at }) =>
      `<rect x="${at.x - WIDTH / 2}" y="${at.y - HEIGHT / 2}" width="${WIDTH}" height="${HEIGHT}" rx="6" fill="${colour}"/>` +
      `<text x="${at.x}" y="${at.y + 7}" font-family="DejaVu Sans, sans-serif" font-size="20" fill="#ffffff" text-anchor="middle">${label}</text>`,
  )
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${screen.width}" height="${screen.height}"><rect width="100%" height="100%" fill="#eceff1"/>${drawn.join('')}</svg>`
  return { frame: await decodePng(await sharp(Buffer.from(svg)).png().toBuffer()), targets }
}
