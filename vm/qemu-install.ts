import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { execa } from 'execa'
import { GodHandError } from '../main/contract/errors.ts'
import { sha256OfFile } from './apt.ts'
import { OLDEST_QEMU } from './qemu-recipe.ts'

/** A QEMU that can be started. */
export type QemuInstall = {
  /** qemu-system-x86_64 */
  system: string
  /** qemu-img */
  img: string
  /** Firmware and keymaps, for -L. */
  dataDir: string
  version: string
  /** Changes whenever this QEMU could no longer load a RAM snapshot made by it before. */
  key: string
  origin: 'bundle' | 'system'
}

/** "QEMU emulator version 10.0.13 (Debian …)" → "10.0.13" */
export function parseQemuVersion(output: string): string | undefined {
  return /version (\d+\.\d+(?:\.\d+)?)/.exec(output)?.[1]
}

/** The version, and the whole line that names the build too, once the program has shown that it runs here. */
export async function askQemuVersion(program: string): Promise<{ version: string; build: string }> {
  const { stdout } = await execa(program, ['--version'], { timeout: 20_000 }).catch((cause: unknown) => {
    throw new GodHandError('missing_prerequisite', `${program} does not run here.`, {
      cause,
      hint: 'Unset GODHAND_QEMU to let GodHand bring its own QEMU.',
    })
  })
  const version = parseQemuVersion(stdout)
  if (version === undefined)
    throw new GodHandError(
      'missing_prerequisite',
      `${program} does not look like QEMU: it says “${stdout.slice(0, 80)}”.`,
    )
  return { version, build: stdout.split('\n')[0] ?? version }
}

export function assertNewEnough(version: string, program: string): void {
  if (Number(version.split('.')[0]) >= OLDEST_QEMU) return
  throw new GodHandError('unsupported', `${program} is QEMU ${version}; GodHand needs ${OLDEST_QEMU} or newer.`, {
    hint: 'Unset GODHAND_QEMU to let GodHand bring its own QEMU, or point it to a newer qemu-system-x86_64.',
  })
}

/**
 * The QEMU the person chose instead of the bundle: GODHAND_QEMU=system takes the one on the PATH, a path takes that
 * one (the program, or the folder it is in). Nothing when they chose none.
 */
export async function findSystemQemu(choice = process.env.GODHAND_QEMU): Promise<QemuInstall | undefined> {
  if (!choice || choice === 'bundle') return undefined
  const system = choice === 'system' ? onPath('qemu-system-x86_64') : programAt(choice)
  if (system === undefined)
    throw new GodHandError('missing_prerequisite', `GODHAND_QEMU is “${choice}”, but no qemu-system-x86_64 is there.`, {
      hint: 'Install QEMU (sudo apt-get install qemu-system-x86 qemu-utils), or unset GODHAND_QEMU.',
    })
  const { version, build } = await askQemuVersion(system)
  assertNewEnough(version, system)

  const beside = path.join(path.dirname(system), 'qemu-img')
  const img = existsSync(beside) ? beside : onPath('qemu-img')
  if (img === undefined)
    throw new GodHandError('missing_prerequisite', `There is no qemu-img beside ${system} or on the PATH.`, {
      hint: 'Install it: sudo apt-get install qemu-utils',
    })
  const dataDir = await firmwareFolder(system)
  return { system, img, dataDir, version, key: await systemKey(system, build, dataDir), origin: 'system' }
}

/** QEMU lists where it looks; the BIOS is in one of those, though not always in the first. */
async function firmwareFolder(system: string): Promise<string> {
  const { stdout } = await execa(system, ['-L', 'help'], { timeout: 20_000 })
  const folders = stdout.split('\n').map((line) => line.trim())
  const folder = folders.find((each) => existsSync(path.join(each, 'bios-256k.bin')))
  if (folder === undefined)
    throw new GodHandError(
      'missing_prerequisite',
      `${system} has no firmware: bios-256k.bin is in none of its folders.`,
      {
        hint: 'Install it (sudo apt-get install seabios), or unset GODHAND_QEMU.',
      },
    )
  return folder
}

async function systemKey(system: string, build: string, dataDir: string): Promise<string> {
  const parts = [build, await sha256OfFile(system), await sha256OfFile(path.join(dataDir, 'bios-256k.bin'))]
  return createHash('sha256').update(parts.join('\n')).digest('hex')
}

function programAt(choice: string): string | undefined {
  return [path.join(choice, 'qemu-system-x86_64'), choice]
    .map((file) => path.resolve(file))
    .find((file) => existsSync(file))
}

function onPath(program: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean)
  return folders.map((folder) => path.join(folder, program)).find((file) => existsSync(file))
}
