import { withEngine } from '../command-context.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import { localTime, table } from '../table.ts'

const megabytes = (bytes: number) => `${Math.round(bytes / 1024 ** 2)} MB`

export async function imageList(output: Output): Promise<number> {
  const images = await withEngine(output, { machines: false }, ({ client }) => client.call('image.list', {}))
  const rows = images.map(({ id, name, bytes, diskSha256, builtAt }) => [
    id,
    name,
    megabytes(bytes),
    localTime(builtAt),
    diskSha256.slice(0, 16),
  ])
  const heading = ['IMAGE', 'NAME', 'SIZE', 'BUILT', 'DISK SHA-256']
  output.answer(images, rows.length === 0 ? 'No images.' : table(heading, rows))
  return exitCodes.ok
}

export async function imageBuild(variant: 'desktop' | 'minimal', output: Output): Promise<number> {
  const image = await withEngine(output, { machines: false }, ({ client }) => client.call('image.build', { variant }))
  output.answer(image, `${image.id} is there: ${megabytes(image.bytes)}`)
  return exitCodes.ok
}

export async function imageRemove(imageId: string, output: Output): Promise<number> {
  const removed = await withEngine(output, { machines: false }, ({ client }) =>
    client.call('image.remove', { imageId }),
  )
  output.answer(removed, `${imageId} is gone; ${megabytes(removed.freedBytes)} are free again`)
  return exitCodes.ok
}
