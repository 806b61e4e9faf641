import path from 'node:path'
import { GodHandError } from '../../contract/errors.ts'
import { withEngine } from '../command-context.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import { localTime, table } from '../table.ts'

const megabytes = (bytes: number) => `${Math.round(bytes / 1024 ** 2)} MB`

export async function imageList(output: Output): Promise<number> {
  const images = await withEngine(output, { machines: false }, ({ client }) => client.call('image.list', {}))
  const rows = images.map(({ id, name, origin, exec, bytes, diskSha256, builtAt }) => [
    id,
    name,
    exec ? origin : `${origin}, no exec`,
    megabytes(bytes),
    localTime(builtAt),
    diskSha256.slice(0, 16),
  ])
  const heading = ['IMAGE', 'NAME', 'ORIGIN', 'SIZE', 'BUILT', 'DISK SHA-256']
  output.answer(images, rows.length === 0 ? 'No images.' : table(heading, rows))
  return exitCodes.ok
}

export async function imageBuild(
  variant: 'desktop' | 'minimal' | undefined,
  recipe: string | undefined,
  output: Output,
): Promise<number> {
  if ((variant === undefined) === (recipe === undefined))
    throw new GodHandError('bad_request', 'Name one of our images, or a folder with your recipe.', {
      hint: 'godhand image build desktop, or: godhand image build --recipe ./office',
    })
  const wish = recipe === undefined ? { variant: variant ?? 'desktop' } : { recipe: path.resolve(recipe) }
  const image = await withEngine(output, { machines: true }, ({ client }) => client.call('image.build', wish))
  output.answer(image, `${image.id} is there: ${megabytes(image.bytes)}`)
  return exitCodes.ok
}

export type ImportFlags = {
  name?: string
  as?: 'disk' | 'cdrom'
  disk?: number
  rest?: number
  sshUser?: string
}

export async function imageImport(file: string, flags: ImportFlags, output: Output): Promise<number> {
  const { name = nameAfter(file), as, disk, rest, sshUser } = flags
  const wish = {
    file: path.resolve(file),
    name,
    ...(as === undefined ? {} : { medium: as }),
    ...(disk === undefined ? {} : { diskGb: disk }),
    ...(rest === undefined ? {} : { restSeconds: rest }),
    ...(sshUser === undefined ? {} : { sshUser }),
  }
  const image = await withEngine(output, { machines: true }, ({ client }) => client.call('image.import', wish))
  output.answer(image, `${image.id} is there: godhand vm create --image ${image.name}`)
  return exitCodes.ok
}

/** “Win 98 (SE).iso” → win-98-se */
export function nameAfter(file: string): string {
  const words = path
    .parse(file)
    .name.toLowerCase()
    .match(/[a-z0-9]+/g) ?? ['imported']
  return words.join('-').slice(0, 40).replace(/-+$/, '')
}

export async function imageRemove(imageId: string, output: Output): Promise<number> {
  const removed = await withEngine(output, { machines: false }, ({ client }) =>
    client.call('image.remove', { imageId }),
  )
  output.answer(removed, `${imageId} is gone; ${megabytes(removed.freedBytes)} are free again`)
  return exitCodes.ok
}
