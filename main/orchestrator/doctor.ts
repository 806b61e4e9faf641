import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { DoctorCheck } from '../contract/rpc.ts'
import type { Paths } from '../paths.ts'
import type { SandboxDriver } from '../sandbox/sandbox.ts'
import { describeCapabilities } from './doctor-capabilities.ts'
import type { RoomKeeper } from './readiness.ts'

type Patient = { paths: Paths; driver: SandboxDriver; room: RoomKeeper }

/** A look at everything a machine needs, each with what to do when it is not well. */
export async function examine(patient: Patient): Promise<DoctorCheck[]> {
  await Promise.race([patient.room.settled(), delay(PATIENCE_MS)]) // an engine just started needs a moment to look
  const can = describeCapabilities(await patient.driver.capabilities())
  return [...(await patient.driver.examine()), can, template(patient), await disk(patient), memory(), unproven()]
}

function template({ room }: Patient): DoctorCheck {
  const state = room.state
  switch (state.kind) {
    case 'ready':
      return { name: 'template', status: 'ok', summary: `A pre-booted “${state.image}” desktop is ready to be cloned.` }
    case 'preparing':
      return { name: 'template', status: 'warning', summary: `${state.progress.step} (${state.progress.done} %)` }
    case 'broken':
      return {
        name: 'template',
        status: 'problem',
        summary: state.error.message,
        fix: state.error.code === 'missing_prerequisite' ? 'build' : 'prepare',
        ...(state.error.hint ? { hint: state.error.hint } : {}),
      }
  }
}

const PATIENCE_MS = 3000
const GB = 1024 ** 3
const LOW_DISK = 5 * GB

async function disk({ paths }: Patient): Promise<DoctorCheck> {
  const folders = ['qemu', 'images', 'cache', 'templates', 'snapshots', 'machines', 'frames'] as const
  const sizes = await Promise.all(folders.map(async (name) => [name, await sizeOf(paths[name])] as const))
  const used = sizes.reduce((sum, [, bytes]) => sum + bytes, 0)
  const { bavail, bsize } = await fs.statfs(paths.home)
  const free = bavail * bsize
  const parts = sizes.filter(([, bytes]) => bytes > 0).map(([name, bytes]) => `${name} ${inWords(bytes)}`)
  const summary = `${inWords(used)} used (${parts.join(', ')}), ${inWords(free)} free`
  const details = { free, ...Object.fromEntries(sizes) }
  return free < LOW_DISK
    ? {
        name: 'disk',
        status: 'warning',
        summary,
        details,
        hint: 'Free some space, or set GODHAND_HOME to a larger disk.',
        fix: 'tidy',
      }
    : { name: 'disk', status: 'ok', summary, details }
}

/** Holes do not count: memory files are mostly holes. */
async function sizeOf(folder: string): Promise<number> {
  const entries = await fs.readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) =>
        fs.stat(path.join(entry.parentPath, entry.name)).then(
          (stat) => (stat.blocks * 512) / stat.nlink,
          () => 0,
        ),
      ),
  )
  return Math.round(sizes.reduce((sum, bytes) => sum + bytes, 0))
}

function memory(): DoctorCheck {
  const free = os.freemem()
  const summary = `${inWords(os.totalmem())} in all, ${inWords(free)} free, ${os.availableParallelism()} processors`
  return free < GB
    ? { name: 'memory', status: 'warning', summary, hint: 'Close other programs before starting machines.' }
    : { name: 'memory', status: 'ok', summary }
}

/** Written and type-checked, but nobody has run it yet: said here and in the README until someone does. */
function unproven(): DoctorCheck {
  return {
    name: 'unproven',
    status: 'unproven',
    summary: 'Written but not yet run by anyone: KVM, HVF and WHPX acceleration, the Electron window, the installers.',
  }
}

function inWords(bytes: number): string {
  return bytes >= GB ? `${(bytes / GB).toFixed(1)} GB` : `${Math.round(bytes / 1024 ** 2)} MB`
}
