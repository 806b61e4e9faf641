import fs from 'node:fs/promises'
import path from 'node:path'
import type { Duplex } from 'node:stream'
import { z } from 'zod'
import { GodHandError } from '../../contract/errors.ts'
import type { ExecResult, MachineState } from '../../contract/machine.ts'
import type {
  ExecOptions,
  InputEvent,
  RawFrame,
  Sandbox,
  SandboxSpec,
  SnapshotFiles,
  SnapshotResult,
} from '../sandbox.ts'
import { paint } from './paint.ts'

/** All that a painted machine is: what a snapshot of it holds. */
export const FakeMemory = z.object({
  pointer: z.object({ x: z.number(), y: z.number() }),
  keys: z.array(z.string()), // pressed so far, shown on the screen
  files: z.record(z.string(), z.string()),
})
export type FakeMemory = z.infer<typeof FakeMemory>

export type FakeExec = (argv: string[], memory: FakeMemory) => ExecResult

const MEMORY_FILE = 'memory.json'

export class FakeSandbox implements Sandbox {
  readonly id: string
  readonly image: string
  readonly memoryMb: number
  readonly cpus: number
  readonly pid = null
  readonly screen = { width: 1280, height: 800 }
  #state: MachineState = { kind: 'running' }
  readonly #memory: FakeMemory
  readonly #exec: FakeExec
  readonly #listeners: ((state: MachineState & { kind: 'dead' }) => void)[] = []

  constructor(spec: SandboxSpec, memory: FakeMemory, exec: FakeExec) {
    this.id = spec.id
    this.image = spec.image
    this.memoryMb = spec.memoryMb ?? 512
    this.cpus = spec.cpus ?? 1
    this.#memory = memory
    this.#exec = exec
  }

  static async load(spec: SandboxSpec, exec: FakeExec): Promise<FakeSandbox> {
    const empty = { pointer: { x: 640, y: 400 }, keys: [], files: {} }
    const saved = spec.fromSnapshot && (await fs.readFile(path.join(spec.fromSnapshot.folder, MEMORY_FILE), 'utf8'))
    return new FakeSandbox(spec, saved ? FakeMemory.parse(JSON.parse(saved)) : empty, exec)
  }

  get state(): MachineState {
    return this.#state
  }

  onDeath(listener: (state: MachineState & { kind: 'dead' }) => void): void {
    this.#listeners.push(listener)
  }

  exec(command: string, options?: ExecOptions): Promise<ExecResult> {
    return this.execFile(['sh', '-c', command], options)
  }

  async execFile(argv: string[], _options?: ExecOptions): Promise<ExecResult> {
    this.#mustRun()
    return this.#exec(argv, this.#memory)
  }

  async readFile(file: string): Promise<Buffer> {
    this.#mustRun()
    const text = this.#memory.files[file]
    if (text === undefined) throw new GodHandError('not_found', `Cannot read ${file} in the guest: no such file`)
    return Buffer.from(text)
  }

  async writeFile(file: string, content: Buffer): Promise<void> {
    this.#mustRun()
    this.#memory.files[file] = content.toString('utf8')
  }

  async capture(): Promise<RawFrame> {
    this.#mustRun()
    return paint(this.screen, this.#memory)
  }

  async input(events: InputEvent[]): Promise<void> {
    this.#mustRun()
    for (const event of events) {
      if (event.kind === 'move') this.#memory.pointer = event.to
      if (event.kind === 'key' && event.down) this.#memory.keys.push(event.code)
    }
  }

  async pause(): Promise<void> {
    this.#state = { kind: 'paused' }
  }

  async resume(): Promise<void> {
    this.#state = { kind: 'running' }
  }

  async snapshot(into: SnapshotFiles): Promise<SnapshotResult> {
    this.#mustRun()
    const text = JSON.stringify(this.#memory)
    await fs.writeFile(path.join(into.folder, MEMORY_FILE), text)
    return { pauseMs: 0, totalMs: 0, diskBytes: 0, ramBytes: text.length, templateKey: 'fake' }
  }

  async destroy(): Promise<void> {
    this.die(null)
  }

  /** For tests of bad weather: as if somebody had killed it. */
  die(reason: GodHandError | null): void {
    if (this.#state.kind === 'dead') return
    const dead = { kind: 'dead' as const, reason: reason?.toInfo() ?? null }
    this.#state = dead
    for (const listener of this.#listeners) listener(dead)
  }

  openGuestPort(): Promise<never> {
    return Promise.reject(new GodHandError('unsupported', 'A painted machine has no network.'))
  }

  openVnc(): Promise<Duplex> {
    return Promise.reject(new GodHandError('unsupported', 'A painted machine has no live view.'))
  }

  #mustRun(): void {
    if (this.#state.kind === 'dead') throw new GodHandError('machine_died', `Machine ${this.id} has ended.`)
  }
}
