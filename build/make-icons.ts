import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { type Picture, toIcns, toIco } from './icon-files.ts'
import { root } from './root.ts'

/** The app's and the tray's icons, drawn from the logo: node build/make-icons.ts */
const LOGO = path.join(root, 'app', 'public', 'favicon.svg')
const OUT = path.join(root, 'build', 'resources')

const draw = async (svg: string, size: number): Promise<Picture> => {
  const density = (72 * size) / 32 // the logo is drawn on 32 units
  const png = await sharp(Buffer.from(svg), { density }).resize(size, size).png({ compressionLevel: 9 }).toBuffer()
  return { size, png }
}
const drawAll = (svg: string, sizes: number[]) => Promise.all(sizes.map((size) => draw(svg, size)))

/** The hand alone, black on nothing: macOS colours it by the menu bar. */
function silhouette(logo: string): string {
  return logo
    .replace(/<rect width="32" height="32"[^>]*\/>/, '')
    .replaceAll(/#(f6f1e7|eab04a)/g, '#000000')
    .replace('translate(2.6 2.9) scale(.83)', 'translate(-.4 .2) scale(.98)')
}

export async function makeIcons(out = OUT): Promise<void> {
  const logo = await readFile(LOGO, 'utf8')
  await mkdir(out, { recursive: true })
  const write = (name: string, bytes: Uint8Array) => writeFile(path.join(out, name), bytes)
  await write('icon.png', (await draw(logo, 512)).png)
  await write('icon.ico', toIco(await drawAll(logo, [16, 24, 32, 48, 64, 128, 256])))
  await write('icon.icns', toIcns(await drawAll(logo, [128, 256, 512, 1024])))
  await write('tray.png', (await draw(logo, 32)).png)
  await write('tray@2x.png', (await draw(logo, 64)).png)
  await write('trayTemplate.png', (await draw(silhouette(logo), 18)).png)
  await write('trayTemplate@2x.png', (await draw(silhouette(logo), 36)).png)
}

if (import.meta.main) await makeIcons()
