import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import type { GuestImage } from '../../../vm/guest-image.ts'
import type { QemuInstall } from '../../../vm/qemu-install.ts'
import { GodHandError } from '../../contract/errors.ts'
import { type MachineShape, type MachineStart, qemuArguments } from './argv.ts'
import { FileRecords, type Integrity } from './integrity.ts'
import type { RamMechanism } from './ram/mechanism.ts'

/** Raised when what a template holds changes in a way its other ingredients do not show. */
const TEMPLATE_VERSION = 1

export const TemplateRecord = z.object({
  key: z.string(),
  image: z.string(),
  imageKey: z.string(),
  memoryMb: z.number().int(),
  cpus: z.number().int(),
  accelerator: z.string(),
  mechanism: z.string(),
  qemuVersion: z.string(),
  bootMs: z.number(),
  createdAt: z.string(),
  files: FileRecords,
})
export type TemplateRecord = z.infer<typeof TemplateRecord>

/** A hash of everything the saved memory depends on. Anything else than an exact match must never be resumed. */
export function templateKey(
  shape: MachineShape,
  from: {
    image: Pick<GuestImage, 'key'>
    qemu: Pick<QemuInstall, 'key'>
    mechanism: RamMechanism['name']
    publicKey: string
    hostCpu: string
  },
): string {
  // Paths differ from install to install and do not matter; what lies behind them is in the image's and QEMU's keys.
  const portable = { ...shape, start: portableStart(shape.start) }
  const args = qemuArguments(portable, {
    dataDir: '',
    layers: ['image', 'disk'],
    ram: { kind: 'anonymous' },
    qmpSocket: '',
    vncSocket: '',
    serialLog: '',
    incoming: false,
    devicesApart: true,
  })
  const cpu = shape.accelerator === 'tcg' ? '' : from.hostCpu
  const parts = [TEMPLATE_VERSION, from.qemu.key, from.image.key, from.mechanism, from.publicKey, cpu, ...args]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 24)
}

function portableStart(start: MachineStart): MachineStart {
  if (start.kind === 'firmware') return { ...start, cdrom: start.cdrom && 'cdrom' }
  return { ...start, kernel: 'kernel', initrd: 'initrd', authorizedKey: 'key' }
}

/** The record of a whole and undamaged template, or null: then it must be made again. */
export async function readTemplate(folder: string, key: string, integrity: Integrity): Promise<TemplateRecord | null> {
  const text = await fs.readFile(path.join(folder, TEMPLATE_RECORD), 'utf8').catch(() => null)
  const parsed = TemplateRecord.safeParse(text === null ? null : parseJson(text))
  if (!parsed.success || parsed.data.key !== key) return null
  return (await integrity.holds(folder, parsed.data.files)) ? parsed.data : null
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null // a file cut short by a crash
  }
}

export const TEMPLATE_RECORD = 'template.json'
export const TEMPLATE_DISK = 'disk.qcow2'

/** Moves a finished template into place. Losing the race against another engine is fine: theirs is the same. */
export async function publishTemplate(
  making: string,
  folder: string,
  record: TemplateRecord,
  integrity: Integrity,
): Promise<void> {
  await fs.writeFile(path.join(making, TEMPLATE_RECORD), JSON.stringify(record, null, 2))
  await fs.rm(folder, { recursive: true, force: true }) // whatever lies there was not readable as this template
  try {
    await fs.rename(making, folder)
  } catch (cause) {
    if (!(await readTemplate(folder, record.key, integrity)))
      throw new GodHandError('internal', 'The prepared desktop could not be moved into place.', { cause })
    await fs.rm(making, { recursive: true, force: true })
  }
}
