import { createHash } from 'node:crypto'
import sharp from 'sharp'

/** Make-believe pictures of a desktop, for work on the UI. */

export const width = 1280
export const height = 800

export type Scene = { editor?: string; terminal?: readonly string[]; menu?: boolean; clock?: string }

const pictures = new Map<string, Buffer>()

export const pictureOf = (hash: string): Buffer | undefined => pictures.get(hash)

/** Draws a scene and keeps it; the same scene has the same hash. */
export async function frameOf(scene: Scene): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(scene)).digest('hex')
  if (!pictures.has(hash))
    pictures.set(
      hash,
      await sharp(Buffer.from(draw(scene)))
        .png()
        .toBuffer(),
    )
  return hash
}

/** The scene as the bytes noVNC asks for: red, green, blue, nothing. */
export function pixelsOf(scene: Scene): Promise<Buffer> {
  return sharp(Buffer.from(draw(scene)))
    .ensureAlpha()
    .raw()
    .toBuffer()
}

function draw({ editor, terminal, menu, clock = '09:41' }: Scene): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="DejaVu Sans, sans-serif">
    <defs><linearGradient id="sky" x2="0.6" y2="1"><stop stop-color="#24455c"/><stop offset="0.6" stop-color="#4d7f86"/><stop offset="1" stop-color="#d8b98a"/></linearGradient></defs>
    <rect width="100%" height="100%" fill="url(#sky)"/>
    <path d="M0 640 Q320 520 640 620 T1280 560 V800 H0Z" fill="#1d3844" opacity="0.55"/>
    ${editor === undefined ? '' : window_(120, 90, 620, 420, 'poem.txt - Mousepad', '#fbfaf7', lines(editor.split('\n'), 140, 152, '#22272b', 18))}
    ${terminal ? window_(600, 330, 560, 340, 'Terminal', '#1b1f24', lines(terminal, 618, 388, '#d5e3da', 16, 'DejaVu Sans Mono')) : ''}
    ${menu ? `<rect x="8" y="560" width="220" height="204" rx="6" fill="#f4f1ea"/>${lines(['Text Editor', 'Terminal', 'File Manager', 'Web Browser'], 30, 600, '#22272b', 17)}` : ''}
    <rect y="768" width="1280" height="32" fill="#171b1f"/><circle cx="24" cy="784" r="9" fill="#d8a24a"/>
    <text x="1262" y="790" font-size="15" fill="#e8e6e1" text-anchor="end">${clock}</text></svg>`
}

function window_(x: number, y: number, w: number, h: number, title: string, fill: string, inside: string): string {
  return `<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="8" fill="#0006" transform="translate(0 8)"/>
    <rect x="${x}" y="${y}" width="${w}" height="${h}" rx="8" fill="${fill}"/>
    <path d="M${x} ${y + 32}v-24q0-8 8-8h${w - 16}q8 0 8 8v24z" fill="#2e353b"/>
    <text x="${x + 14}" y="${y + 22}" font-size="14" fill="#e8e6e1">${escaped(title)}</text>
    <circle cx="${x + w - 18}" cy="${y + 16}" r="6" fill="#c9655a"/>${inside}`
}

function lines(
  texts: readonly string[],
  x: number,
  y: number,
  fill: string,
  size: number,
  font = 'DejaVu Sans',
): string {
  return texts
    .map(
      (line, n) =>
        `<text x="${x}" y="${y + n * size * 1.5}" font-size="${size}" font-family="${font}" fill="${fill}">${escaped(line)}</text>`,
    )
    .join('')
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
