import fs from 'node:fs/promises'
import net from 'node:net'
import path from 'node:path'
import type { Duplex } from 'node:stream'
import { GodHandError } from '../../contract/errors.ts'
import type { ExecResult, MachineState } from '../../contract/machine.ts'
import type { TerminalSize } from '../../contract/terminal.ts'
import type {
  ExecOptions,
  GuestPort,
  InputEvent,
  NetworkWatch,
  RawFrame,
  Sandbox,
  SnapshotFiles,
  SnapshotResult,
  Terminal,
} from '../sandbox.ts'
import { DiskLayers } from './disk-layers.ts'
import { DisplayLink } from './display-link.ts'
import type { GuestShell } from './guest-shell.ts'
import { InputFlow } from './input-flow.ts'
import type { Integrity } from './integrity.ts'
import { watchNetwork } from './network-watch.ts'
import { parsePpm } from './ppm.ts'
import { privateMemory } from './private-memory.ts'
import type { QemuProcess } from './process.ts'
import type { RamBase, RamMechanism, SavedRam } from './ram/mechanism.ts'
import { SNAPSHOT_DISK, type SnapshotRecord, writeSnapshotRecord } from './snapshot-record.ts'

/** Where the X server of our images listens. */
const DISPLAY_SOCKET = '/tmp/.X11-unix/X0'

export type QemuSandboxParts = {
  id: string
  image: string
  memoryMb: number
  cpus: number
  screen: { width: number; height: number }
  folder: string
  qemu: QemuProcess
  shell: GuestShell | null
  held?: boolean | undefined
  /** The guest chooses the size of its screen, whatever it was given. */
  ownScreenSize: boolean
  mechanism: RamMechanism
  integrity: Integrity
  base: RamBase
  templateKey: string
  /** Snapshots whose disks this machine's disk stands on, the oldest first. */
  chain: string[]
  vncSocket: string
  layers: number
  newOverlay: (file: string) => Promise<void>
  onDestroyed: () => Promise<void>
}

/** A live QEMU machine. */
export class QemuSandbox implements Sandbox {
  #id: string
  readonly image: string
  readonly memoryMb: number
  readonly cpus: number
  readonly #parts: QemuSandboxParts
  readonly #chain: string[]
  readonly #inputFlow: InputFlow
  readonly #disk: DiskLayers
  #state: MachineState = { kind: 'running' }
  #destroying: Promise<void> | null = null
  /** Snapshots, pauses and the end of a machine take turns; a snapshot of half a snapshot is nobody's wish. */
  #turn: Promise<unknown> = Promise.resolve()
  #captures = 0
  #screen: { width: number; height: number }
  /** Why there can be no snapshots any more. */
  #broken: GodHandError | null = null

  constructor(parts: QemuSandboxParts) {
    this.#id = parts.id
    if (parts.held) this.#state = { kind: 'paused' }
    this.image = parts.image
    this.memoryMb = parts.memoryMb
    this.cpus = parts.cpus
    this.#screen = parts.screen
    this.#parts = parts
    this.#chain = [...parts.chain]
    const { qemu, folder, layers: count, newOverlay } = parts
    this.#disk = new DiskLayers({ qmp: qemu.qmp, folder, count, newOverlay })
    const { shell, ownScreenSize } = parts
    this.#inputFlow = new InputFlow(parts.qemu.qmp, {
      screen: () => this.#screen,
      virtio: !ownScreenSize,
      display: shell && !ownScreenSize ? new DisplayLink(() => shell.openSocket(DISPLAY_SOCKET)) : null,
    })
    void parts.qemu.exited.then((lastWords) => this.#ended(lastWords))
    qemu.qmp.onEvent((name, data) => {
      if (name === 'BLOCK_IO_ERROR' && data.action === 'stop') this.#outOfDisk()
    })
  }

  get pid(): number | null {
    return this.#state.kind === 'dead' ? null : this.#parts.qemu.pid
  }

  get id(): string {
    return this.#id
  }

  get state(): MachineState {
    return this.#state
  }

  get screen(): { width: number; height: number } {
    return this.#screen
  }

  get canExec(): boolean {
    return this.#parts.shell !== null
  }

  readonly #deathListeners: ((state: MachineState & { kind: 'dead' }) => void)[] = []

  onDeath(listener: (state: MachineState & { kind: 'dead' }) => void): void {
    this.#deathListeners.push(listener)
  }

  readonly #heldListeners: (() => void)[] = []

  onHeld(listener: () => void): void {
    this.#heldListeners.push(listener)
  }

  async exec(command: string, options?: ExecOptions): Promise<ExecResult> {
    this.#mustRun('run a command')
    return this.#shell().exec(command, options)
  }

  async execFile(argv: string[], options?: ExecOptions): Promise<ExecResult> {
    this.#mustRun('run a command')
    return this.#shell().execFile(argv, options)
  }

  async readFile(file: string, limitBytes = 16 * 1024 * 1024): Promise<Buffer> {
    this.#mustRun('read a file')
    return this.#shell().readFile(file, limitBytes)
  }

  async writeFile(file: string, content: Buffer): Promise<void> {
    this.#mustRun('write a file')
    return this.#shell().writeFile(file, content)
  }

  async openGuestPort(port: number, onConnection: (connection: Duplex) => void): Promise<GuestPort> {
    this.#mustRun('open a port')
    return this.#shell().openPort(port, onConnection)
  }

  async watchNetwork(): Promise<NetworkWatch> {
    this.#mustLive('watch the network')
    return watchNetwork(this.#parts.qemu.qmp, this.#parts.folder)
  }

  async capture(): Promise<RawFrame> {
    this.#mustLive('take a screenshot')
    const file = path.join(this.#parts.folder, `screen-${this.#captures++}.ppm`)
    await this.#qmp('screendump', { filename: file, format: 'ppm' })
    const ppm = await fs.readFile(file)
    await fs.unlink(file)
    const frame = parsePpm(ppm)
    this.#screen = { width: frame.width, height: frame.height }
    return frame
  }

  async input(events: InputEvent[]): Promise<void> {
    this.#mustRun('use mouse and keyboard')
    // A place on the screen is a share of its size, so the size must be the one of now.
    if (this.#parts.ownScreenSize && events.some(({ kind }) => kind === 'move')) await this.capture()
    await this.#inputFlow.send(events)
  }

  async inputDone(): Promise<void> {
    this.#mustRun('use mouse and keyboard')
    await this.#inputFlow.done()
  }

  pause(): Promise<void> {
    return this.#inTurn(async () => {
      this.#mustLive('pause')
      await this.#qmp('stop')
      this.#move({ kind: 'paused' })
    })
  }

  resume(): Promise<void> {
    return this.#inTurn(async () => {
      this.#mustLive('resume')
      await this.#qmp('cont')
      this.#move({ kind: 'running' })
    })
  }

  /** Somebody's from now on: one that stood ready wakes up under its new name. */
  async takeIntoUse(id: string): Promise<void> {
    this.#id = id
    await this.resume()
    this.#parts.shell?.warmUp()
  }

  snapshot(into: SnapshotFiles): Promise<SnapshotResult> {
    return this.#inTurn(async () => {
      this.#mustLive('take a snapshot')
      if (this.#broken) throw this.#broken
      const began = performance.now()
      await this.#disk.prepare()
      const paused = performance.now()
      const { saving, frozen } = await this.#freeze(into)
      const pauseMs = performance.now() - paused
      try {
        const ram = await saving.finish()
        const record: SnapshotRecord = {
          version: 1,
          id: into.id,
          image: this.image,
          templateKey: this.#parts.templateKey,
          blank: this.#parts.base.blank,
          memoryMb: this.memoryMb,
          cpus: this.cpus,
          mechanism: this.#parts.mechanism.name,
          chain: [...this.#chain, into.id],
          files: { ...ram.files, [SNAPSHOT_DISK]: await this.#record(frozen) },
        }
        await shareFile(frozen, path.join(into.folder, SNAPSHOT_DISK))
        const diskBytes = await writeSnapshotRecord(into.folder, record)
        this.#chain.push(into.id)
        const { templateKey } = record
        return { pauseMs, totalMs: performance.now() - began, diskBytes, ramBytes: ram.bytes, templateKey }
      } catch (error) {
        await fs.rm(path.join(into.folder, SNAPSHOT_DISK), { force: true }) // written to again in a moment
        await this.#unfreeze()
        throw error
      }
    })
  }

  /** Memory, devices and disk as they are at one moment. The machine runs on afterwards if it ran before. */
  async #freeze(into: SnapshotFiles) {
    const { mechanism, base, qemu } = this.#parts
    const wasRunning = this.#state.kind === 'running'
    await this.#qmp('stop')
    try {
      const saving = await mechanism.save(qemu, base, into.folder, 'snapshot')
      // After the devices' state, which flushes the disk, and with the guest still standing: both are of one moment.
      return { saving, frozen: await this.#disk.freeze() }
    } catch (error) {
      await this.#disk.discard()
      throw error
    } finally {
      if (wasRunning) await this.#qmp('cont')
    }
  }

  async #unfreeze(): Promise<void> {
    await this.#disk.unfreeze().catch((cause: unknown) => {
      this.#broken = new GodHandError(
        'machine_error',
        'A snapshot of this machine failed and left its disk in parts.',
        {
          hint: 'It runs on, but no snapshot of it can be taken. Bring out the files you need, then start another.',
          cause,
        },
      )
    })
  }

  /** Ends the machine's life as a machine: its memory and disk become a template in `into`. */
  freezeAsTemplate(into: string, diskName: string): Promise<SavedRam['files']> {
    return this.#inTurn(async () => {
      const { mechanism, base, qemu, shell } = this.#parts
      shell?.close()
      await this.#qmp('stop')
      const saving = await mechanism.save(qemu, base, into, 'template')
      const { files } = await saving.finish()
      const disk = path.join(into, diskName)
      await fs.link(this.#disk.topFile, disk)
      return { ...files, [diskName]: await this.#record(disk) }
    })
  }

  async usage(): Promise<{ memoryBytes: number | null; diskBytes: number }> {
    const { folder } = this.#parts
    const names = await fs.readdir(folder).catch(() => [])
    const stats = await Promise.all(
      names.filter(isLayer).map((name) => fs.stat(path.join(folder, name)).catch(() => null)),
    )
    const diskBytes = stats.reduce((sum, stat) => sum + (stat ? stat.blocks * 512 : 0), 0)
    return { memoryBytes: await privateMemory(this.pid), diskBytes }
  }

  destroy(): Promise<void> {
    this.#destroying ??= (async () => {
      if (this.#state.kind !== 'dead') this.#move({ kind: 'dead', reason: null })
      this.#parts.shell?.close()
      await this.#parts.qemu.kill()
      await this.#parts.onDestroyed()
    })()
    return this.#destroying
  }

  openVnc(): Promise<Duplex> {
    this.#mustLive('show the screen')
    return new Promise((resolve, reject) => {
      const socket = net.connect(this.#parts.vncSocket)
      socket.once('connect', () => resolve(socket))
      socket.once('error', reject)
    })
  }

  async openTerminal(size: TerminalSize): Promise<Terminal> {
    this.#mustRun('open a terminal')
    return this.#shell().openTerminal(size)
  }

  async #record(frozenDisk: string) {
    return { bytes: (await fs.stat(frozenDisk)).size, sha256: await this.#parts.integrity.hash(frozenDisk) }
  }

  #qmp(command: string, args?: Record<string, unknown>): Promise<unknown> {
    return this.#parts.qemu.qmp.execute(command, args)
  }

  #shell(): GuestShell {
    if (this.#parts.shell) return this.#parts.shell
    throw new GodHandError('unsupported', `The system in “${this.image}” has no way in for commands and files.`, {
      hint: 'Use its screen, keyboard and mouse. Where it runs SSH, import it with --ssh-user.',
    })
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work)
    this.#turn = result.catch(() => {})
    return result
  }

  #ended(lastWords: string): void {
    if (this.#state.kind === 'dead') return
    const reason = new GodHandError('machine_died', 'The machine ended unexpectedly.', {
      hint: 'Its snapshots are safe: restore one, or start the task again.',
      ...(lastWords ? { details: { log: lastWords } } : {}),
    })
    this.#move({ kind: 'dead', reason: reason.toInfo() })
    void this.destroy()
  }

  /** QEMU holds the guest before a write that finds no room; resumed, it tries that write again. */
  #outOfDisk(): void {
    if (this.#state.kind !== 'running') return // every write under way says so
    const reason = new GodHandError('disk_full', 'This computer’s disk is full: the machine stands still.', {
      hint: 'Free some space, then resume the machine. Nothing in it is lost.',
    })
    this.#move({ kind: 'paused', reason: reason.toInfo() })
    for (const listener of this.#heldListeners) listener()
  }

  #move(next: MachineState): void {
    if (this.#state.kind === 'dead') throw new GodHandError('conflict', `Machine ${this.id} has ended.`)
    this.#state = next
    if (next.kind === 'dead') for (const listener of this.#deathListeners) listener(next)
  }

  #mustLive(toDo: string): void {
    if (this.#state.kind === 'dead')
      throw new GodHandError('machine_died', `Cannot ${toDo}: machine ${this.id} has ended.`, {
        hint: this.#state.reason?.message ?? 'Create another one.',
      })
  }

  #mustRun(toDo: string): void {
    this.#mustLive(toDo)
    if (this.#state.kind !== 'paused') return
    const { code, message, hint } = this.#state.reason ?? {
      code: 'conflict' as const,
      message: `Cannot ${toDo}: machine ${this.id} is paused.`,
      hint: 'Resume it first.',
    }
    throw new GodHandError(code, message, { hint })
  }
}

const isLayer = (name: string) => /^disk-\d+\.qcow2$/.test(name)

/** One file under two names where both are on one disk, else a copy. Neither is written to any more. */
async function shareFile(from: string, to: string): Promise<void> {
  await fs.link(from, to).catch(() => fs.copyFile(from, to))
}
