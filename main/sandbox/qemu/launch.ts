import { randomBytes } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import type { QemuInstall } from '../../../vm/qemu-install.ts'
import { GodHandError } from '../../contract/errors.ts'
import { type MachineInstance, type MachineShape, qemuArguments } from './argv.ts'
import { GuestShell } from './guest-shell.ts'
import type { Integrity } from './integrity.ts'
import { QemuSandbox } from './machine.ts'
import { rememberProcess } from './orphans.ts'
import { newOverlay } from './overlay.ts'
import { QemuProcess, startFailure } from './process.ts'
import type { RamBase, RamMechanism } from './ram/mechanism.ts'
import type { SshKey } from './ssh-key.ts'

/** Everything needed to bring a machine up, decided beforehand. */
export type MachinePlan = {
  id: string
  image: string
  qemu: QemuInstall
  shape: MachineShape
  base: RamBase
  templateKey: string
  chain: string[]
  layers: string[] // frozen disks below the machine's own, the base first
  load: { snapshot: string | null } | null // null: boot
  held?: boolean // loaded, but standing still until it is taken into use
  mechanism: RamMechanism
  folder: string
  sockets: string
  /** null: the system in it has no way in for commands and files. */
  ssh: { key: SshKey; user: string } | null
  integrity: Integrity
}

/** Starts the machine and returns it running. What fails on the way is undone. */
export async function launchMachine(plan: MachinePlan, signal?: AbortSignal): Promise<QemuSandbox> {
  await fs.mkdir(plan.folder, { recursive: true, mode: 0o700 })
  await fs.mkdir(plan.sockets, { recursive: true, mode: 0o700 })
  const socketName = path.join(plan.sockets, randomBytes(5).toString('hex'))
  const qmpSocket = `${socketName}.qmp`
  const vncSocket = `${socketName}.vnc`
  const cleanUp = async () => {
    await Promise.all([qmpSocket, vncSocket].map((file) => fs.rm(file, { force: true })))
    await fs.rm(plan.folder, { recursive: true, force: true })
  }
  const baseDisk = plan.layers[0]
  if (!baseDisk) throw new GodHandError('internal', 'A machine needs a disk to stand on.')
  const overlay = (file: string) => newOverlay(plan.qemu, baseDisk, path.dirname(plan.folder), file)
  let qemu: QemuProcess | null = null
  try {
    const top = path.join(plan.folder, `disk-${plan.layers.length}.qcow2`)
    await overlay(top)
    const ram = await plan.mechanism.source(plan.base)
    const instance: MachineInstance = {
      dataDir: plan.qemu.dataDir,
      layers: [...plan.layers, top],
      ram,
      qmpSocket,
      vncSocket,
      serialLog: path.join(plan.folder, 'serial.log'),
      incoming: plan.load !== null,
      devicesApart: ram.kind === 'file',
    }
    qemu = await QemuProcess.launch({
      program: plan.qemu.system,
      arguments: qemuArguments(plan.shape, instance),
      folder: plan.folder,
      qmpSocket,
      memoryMb: plan.shape.memoryMb,
      signal,
    })
    const running = qemu
    // Their folder is closed to others already; they are too, wherever it may lie.
    await Promise.all([qmpSocket, vncSocket].map((file) => fs.chmod(file, 0o600)))
    await rememberProcess(plan.folder, running.pid)
    const shell =
      plan.ssh &&
      new GuestShell({
        privateKey: plan.ssh.key.privateKey,
        user: plan.ssh.user,
        gone: () => running.gone,
        port: async () => sshPort(await running.qmp.human('info usernet')),
      })
    if (plan.load) {
      await plan.mechanism.load(running, plan.base, plan.load.snapshot)
      if (!plan.held) {
        await running.qmp.execute('cont')
        shell?.warmUp()
      }
    }
    const sandbox = new QemuSandbox({
      ...plan,
      memoryMb: plan.shape.memoryMb,
      cpus: plan.shape.cpus,
      screen: plan.shape.screen,
      ownScreenSize: plan.shape.start.kind === 'firmware',
      qemu: running,
      shell,
      vncSocket,
      layers: instance.layers.length,
      newOverlay: overlay,
      onDestroyed: cleanUp,
    })
    if (plan.shape.start.kind === 'firmware') await sandbox.capture() // tells the size of its screen
    return sandbox
  } catch (error) {
    const lastWords = await qemu?.kill()
    await cleanUp()
    if (lastWords && error instanceof GodHandError && error.code === 'machine_died') throw startFailure(lastWords)
    if (signal?.aborted) throw new GodHandError('cancelled', 'Starting the machine was cancelled.', { cause: error })
    throw error
  }
}

/** The host port that QEMU itself chose, so that no two machines can want the same one. */
export function sshPort(usernet: string): number {
  const port = /HOST_FORWARD\]\s+\S+\s+127\.0\.0\.1\s+(\d+)\s+10\.0\.2\.15\s+22\b/.exec(usernet)?.[1]
  if (!port) throw new GodHandError('machine_error', 'The machine has no way in over SSH.', { details: { usernet } })
  return Number(port)
}
