import fs from 'node:fs/promises'
import path from 'node:path'
import { machineSizeFor } from '../../main/sandbox/machine-size.ts'
import { qemuArguments } from '../../main/sandbox/qemu/argv.ts'
import { SCREEN } from '../../main/sandbox/qemu/driver.ts'
import { GuestShell } from '../../main/sandbox/qemu/guest-shell.ts'
import { sshPort } from '../../main/sandbox/qemu/launch.ts'
import { parsePpm } from '../../main/sandbox/qemu/ppm.ts'
import { QemuProcess } from '../../main/sandbox/qemu/process.ts'
import { ensureSshKey } from '../../main/sandbox/qemu/ssh-key.ts'
import type { RawFrame } from '../../main/sandbox/sandbox.ts'
import type { Lab } from './lab.ts'

/** The same guest on the same QEMU as anybody would run it: its own qcow2, snapshots inside of it. */
export class SavevmMachine {
  readonly disk: string
  readonly serialLog: string
  readonly #folder: string
  readonly #qemu: QemuProcess
  readonly #shell: GuestShell

  private constructor(folder: string, disk: string, qemu: QemuProcess, privateKey: string) {
    this.#folder = folder
    this.disk = disk
    this.serialLog = path.join(folder, 'serial.log')
    this.#qemu = qemu
    this.#shell = new GuestShell({
      privateKey,
      gone: () => qemu.gone,
      port: async () => sshPort(await qemu.qmp.human('info usernet')),
    })
  }

  static async start(lab: Lab, name: string, disk: string, loadvm?: string): Promise<SavevmMachine> {
    const folder = path.join(lab.paths.machines, name)
    await fs.mkdir(folder, { recursive: true, mode: 0o700 })
    await fs.mkdir(lab.paths.sockets, { recursive: true, mode: 0o700 })
    const key = await ensureSshKey(lab.paths.ssh)
    const qmpSocket = path.join(lab.paths.sockets, `${name}.qmp`)
    const { accelerator } = await lab.driver.accelerator()
    const { start } = lab.image
    if (start.kind !== 'kernel') throw new Error('only an image of ours can be measured')
    const args = qemuArguments(
      {
        accelerator,
        ...machineSizeFor(),
        start: { ...start, arguments: start.commandLine, authorizedKey: key.publicKeyFile },
        screen: SCREEN,
      },
      {
        dataDir: lab.qemu.dataDir,
        layers: [lab.image.disk, disk],
        ram: { kind: 'anonymous' },
        qmpSocket,
        vncSocket: path.join(lab.paths.sockets, `${name}.vnc`),
        serialLog: path.join(folder, 'serial.log'),
        incoming: false,
      },
    )
    const qemu = await QemuProcess.launch({
      program: lab.qemu.system,
      // savevm writes a description that needs the section which our own snapshots leave out; the last word counts.
      arguments: [...args, '-global', 'migration.send-configuration=on', ...(loadvm ? ['-loadvm', loadvm] : [])],
      folder,
      qmpSocket,
      memoryMb: machineSizeFor().memoryMb,
    })
    return new SavevmMachine(folder, disk, qemu, key.privateKey)
  }

  get pid(): number {
    return this.#qemu.pid
  }

  exec(command: string) {
    return this.#shell.exec(command)
  }

  /** The human monitor answers nothing when it went well. */
  async monitor(command: string): Promise<void> {
    const answer = await this.#qemu.qmp.human(command)
    if (answer.trim()) throw new Error(`QEMU answered “${answer.trim()}” to ${command}.`)
  }

  async capture(): Promise<RawFrame> {
    const file = path.join(this.#folder, 'screen.ppm')
    await this.#qemu.qmp.execute('screendump', { filename: file, format: 'ppm' })
    return parsePpm(await fs.readFile(file))
  }

  /** QEMU closes its disk in order, so that it can be copied. */
  async quit(): Promise<void> {
    this.#shell.close()
    await this.#qemu.qmp.execute('quit').catch(() => {})
    await this.#qemu.exited
  }

  async kill(): Promise<void> {
    this.#shell.close()
    await this.#qemu.kill()
  }
}
