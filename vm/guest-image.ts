import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { sha256OfFile } from './apt.ts'
import { ImageManifest } from './image-manifest.ts'

export type GuestImage = {
  name: string
  folder: string
  disk: string
  key: string
  start: ImageStart
  manifest: ImageManifest
}

/** How a machine of it comes up: by our kernel, or by its own boot loader as on any computer. */
export type ImageStart =
  | { kind: 'kernel'; kernel: string; initrd: string; commandLine: string; setup: string | null }
  | { kind: 'firmware'; cdrom: string | null; sshUser: string | null; restSeconds: number }

export const MANIFEST = 'manifest.json'

/** The image in this folder, or undefined if it is none or a part is missing or of another size. */
export async function openImage(folder: string): Promise<GuestImage | undefined> {
  const text = await readFile(path.join(folder, MANIFEST), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const parsed = ImageManifest.safeParse(parseJson(text))
  if (!parsed.success) return undefined
  const manifest = parsed.data
  for (const output of Object.values(manifest.outputs)) {
    if (!output) continue
    const found = await stat(path.join(folder, output.file)).catch(() => undefined)
    if (found?.size !== output.bytes) return undefined
  }
  const { variant: name, key, outputs } = manifest
  return { name, folder, disk: path.join(folder, outputs.disk.file), key, start: startOf(folder, manifest), manifest }
}

function startOf(folder: string, manifest: ImageManifest): ImageStart {
  const at = (output: { file: string }) => path.join(folder, output.file)
  if (manifest.format === 'imported') {
    const { outputs, sshUser, restSeconds } = manifest
    return { kind: 'firmware', cdrom: outputs.cdrom ? at(outputs.cdrom) : null, sshUser, restSeconds }
  }
  const { outputs, commandLine } = manifest
  return {
    kind: 'kernel',
    kernel: at(outputs.kernel),
    initrd: at(outputs.initrd),
    commandLine,
    setup: outputs.setup ? at(outputs.setup) : null,
  }
}

/** A part of an image as its manifest names it. */
export async function describeOutput(folder: string, file: string) {
  const full = path.join(folder, file)
  return { file, bytes: (await stat(full)).size, sha256: await sha256OfFile(full) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
