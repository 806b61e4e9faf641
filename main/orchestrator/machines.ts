import fs from 'node:fs/promises'
import path from 'node:path'
import type { Duplex } from 'node:stream'
import type { EgressAttempt } from '../contract/egress.ts'
import { type ErrorInfo, GodHandError } from '../contract/errors.ts'
import type { CreateMachine, Machine, Snapshot } from '../contract/machine.ts'
import type { Paths } from '../paths.ts'
import { parseRule } from '../sandbox/egress/allowlist.ts'
import { type AttachedEgress, attachEgress } from '../sandbox/egress/attach.ts'
import { openEgress } from '../sandbox/egress/proxy.ts'
import { machineSizeFor } from '../sandbox/machine-size.ts'
import type { Sandbox, SandboxDriver } from '../sandbox/sandbox.ts'
import { encodePng, hashFrame } from '../screen/frames.ts'
import type { FrameStore } from '../trace/frame-store.ts'
import { newId } from '../trace/ids.ts'
import type { Store } from '../trace/store.ts'
import { admit, expectedMb } from './capacity.ts'
import type { Events } from './events.ts'

const GROWN_UP_MS = 5 * 60_000

type Live = {
  sandbox: Sandbox | null // null while suspended
  machine: Machine
  allow: string[]
  /** Every try of the guest to reach something is told here and refused, until it is released. */
  held: OnAttempt | null
  egress: AttachedEgress | null
  /** The snapshot this machine's next one will be a child of. */
  head: string | null
  usedAt: number
  /** Calls and live views under way. */
  users: number
  /** Going to sleep and waking up, one after the other. */
  turn: Promise<unknown>
}

type OnAttempt = (attempt: EgressAttempt) => void

export type MachinesOptions = { paths: Paths; store: Store; frames: FrameStore; driver: SandboxDriver; events: Events }

/** The live machines, and the tree of snapshots they come from. */
export class Machines {
  readonly #options: MachinesOptions
  readonly #live = new Map<string, Live>()

  constructor(options: MachinesOptions) {
    this.#options = options
  }

  list(): Machine[] {
    return [...this.#live.values()].map((live) => this.#describe(live))
  }

  get count(): number {
    return this.#live.size
  }

  /** Of a machine that is up. Whoever may find it asleep goes through `use`. */
  sandbox(id: string): Sandbox {
    return awake(this.#find(id))
  }

  /** Wakes the machine if it sleeps, and keeps it awake until the work is done. */
  async use<T>(id: string, work: (sandbox: Sandbox) => Promise<T>): Promise<T> {
    const live = this.#find(id)
    live.users++
    try {
      await this.#inTurn(live, () => this.#wake(live))
      return await work(awake(live))
    } finally {
      live.users--
      live.usedAt = Date.now()
    }
  }

  /** The live view keeps its machine awake for as long as somebody looks. */
  async openVnc(id: string): Promise<Duplex> {
    const live = this.#find(id)
    const stream = await this.use(id, (sandbox) => sandbox.openVnc())
    live.users++
    stream.once('close', () => {
      live.users--
      live.usedAt = Date.now()
    })
    return stream
  }

  /** Machines nobody uses, with when they were last used. Paused ones are as somebody wants them. */
  idle(): { machine: Machine; usedAt: number }[] {
    return [...this.#live.values()]
      .filter(({ sandbox, users }) => sandbox?.state.kind === 'running' && users === 0)
      .map((live) => ({ machine: this.#describe(live), usedAt: live.usedAt }))
  }

  /** Keeps an idle machine as a snapshot and ends its process. False when somebody came to use it meanwhile. */
  async suspend(id: string): Promise<boolean> {
    const live = this.#find(id)
    return this.#inTurn(live, async () => {
      const { sandbox } = live
      if (!sandbox || live.users > 0) return false
      await this.#take(live, sandbox, null)
      if (live.users > 0 || sandbox.state.kind === 'dead') return false
      live.sandbox = null
      await sandbox.destroy()
      this.#announce(live)
      return true
    })
  }

  async #wake(live: Live): Promise<void> {
    if (live.sandbox || !live.head) return
    const { driver, paths, store } = this.#options
    const { id, image, memoryMb, cpus } = live.machine
    this.#admit([memoryMb])
    const fromSnapshot = { id: live.head, folder: path.join(paths.snapshots, live.head) }
    const sandbox = await driver.create({ id, image, memoryMb, cpus, fromSnapshot })
    if (sandbox.pid !== null) store.machines.setPid(id, sandbox.pid)
    await this.#attach(live, sandbox)
  }

  #inTurn<T>(live: Live, work: () => Promise<T>): Promise<T> {
    const result = live.turn.then(work)
    live.turn = result.catch(() => {})
    return result
  }

  head(id: string): string | null {
    return this.#live.get(id)?.head ?? null
  }

  /** Snapshots that live machines stand on. */
  heads(): Set<string> {
    return new Set([...this.#live.values()].flatMap(({ head }) => (head ? [head] : [])))
  }

  async create(
    wish: CreateMachine,
    taskId: string | null = null,
    signal?: AbortSignal,
    held: OnAttempt | null = null,
  ): Promise<Machine> {
    for (const rule of wish.allow) parseRule(rule) // a rule nobody can read is refused before anything starts
    this.#admit([wish.memoryMb ?? machineSizeFor().memoryMb])
    return this.#start(wish, taskId, signal, held)
  }

  async #start(
    wish: CreateMachine,
    taskId: string | null,
    signal?: AbortSignal,
    held: OnAttempt | null = null,
  ): Promise<Machine> {
    const { store, driver, paths } = this.#options
    const began = performance.now()
    const from = wish.fromSnapshot === undefined ? null : this.snapshotOf(wish.fromSnapshot)
    const id = newId('vm')
    const born = {
      id,
      name: wish.name ?? id.replace('vm_', 'desktop '),
      driver: driver.name,
      image: from?.image ?? wish.image,
      pid: null,
      parentSnapshot: from?.id ?? null,
      taskId,
      createdAt: new Date().toISOString(),
    }
    store.machines.insert(born)
    let sandbox: Sandbox
    try {
      const spec = { id, image: born.image, memoryMb: wish.memoryMb, cpus: wish.cpus, boot: wish.boot }
      const files = from && { id: from.id, folder: path.join(paths.snapshots, from.id) }
      sandbox = await driver.create({ ...spec, fromSnapshot: files ?? undefined }, signal)
    } catch (error) {
      store.machines.end(id, GodHandError.from(error).toInfo())
      throw error
    }
    if (sandbox.pid !== null) store.machines.setPid(id, sandbox.pid)
    const machine: Machine = {
      ...born,
      state: sandbox.state,
      memoryMb: sandbox.memoryMb,
      cpus: sandbox.cpus,
      screen: sandbox.screen,
      startedInMs: Math.round(performance.now() - began),
    }
    const live: Live = {
      sandbox,
      machine,
      allow: wish.allow,
      held,
      egress: null,
      head: from?.id ?? null,
      usedAt: Date.now(),
      users: 0,
      turn: Promise.resolve(),
    }
    this.#live.set(id, live)
    await this.#attach(live, sandbox)
    return this.#describe(live)
  }

  async #attach(live: Live, sandbox: Sandbox): Promise<void> {
    live.sandbox = sandbox
    sandbox.onDeath((state) => {
      if (live.sandbox === sandbox) this.#ended(live, state.reason) // else it was put to sleep
    })
    if (sandbox.state.kind === 'dead') {
      this.#ended(live, sandbox.state.reason)
      throw new GodHandError('machine_died', 'The machine ended as soon as it had started.')
    }
    if (live.allow.length > 0) await this.#openWayOut(live, sandbox)
    this.#announce(live)
  }

  #ended(live: Live, reason: ErrorInfo | null): void {
    if (!this.#live.delete(live.machine.id)) return
    this.#options.store.machines.end(live.machine.id, reason)
    this.#options.events.emit({
      type: 'machine',
      machine: { ...this.#describe(live), state: { kind: 'dead', reason } },
    })
  }

  /** Named hosts and nothing else, through a proxy that tells of every attempt. */
  async #openWayOut(live: Live, sandbox: Sandbox): Promise<void> {
    const { events } = this.#options
    const egress = openEgress({
      allow: live.held ? [] : live.allow,
      onAttempt: (attempt) => {
        live.held?.(attempt)
        events.emit({ type: 'egress', machineId: live.machine.id, attempt })
      },
    })
    try {
      live.egress = await attachEgress(sandbox, egress)
    } catch (error) {
      await sandbox.destroy() // a machine that was promised a way out and has none helps nobody
      throw error
    }
  }

  /** A machine whose network was held back may now reach what it was allowed to. */
  async release(id: string): Promise<void> {
    const live = this.#find(id)
    if (!live.held) return
    live.held = null
    await live.egress?.close()
    if (live.allow.length > 0) await this.#openWayOut(live, awake(live))
  }

  async setPaused(id: string, paused: boolean): Promise<Machine> {
    const live = this.#find(id)
    await this.use(id, (sandbox) => (paused ? sandbox.pause() : sandbox.resume()))
    this.#announce(live)
    return this.#describe(live)
  }

  /** RAM, devices and disk of a live machine, as a new node of the tree. */
  snapshot(id: string, label: string | null): Promise<Snapshot> {
    return this.use(id, (sandbox) => this.#take(this.#find(id), sandbox, label))
  }

  async #take(live: Live, sandbox: Sandbox, label: string | null): Promise<Snapshot> {
    const { store, paths } = this.#options
    const { id } = live.machine
    const snapshotId = newId('snap')
    const folder = path.join(paths.snapshots, snapshotId)
    store.snapshots.begin({
      id: snapshotId,
      parentId: live.head,
      machineId: id,
      taskId: live.machine.taskId,
      label,
      image: live.machine.image,
      pinned: false,
      createdAt: new Date().toISOString(),
    })
    try {
      await fs.mkdir(folder, { recursive: true, mode: 0o700 })
      const frame = await this.#keepFrame(sandbox)
      const { pauseMs, diskBytes, ramBytes, templateKey } = await sandbox.snapshot({ id: snapshotId, folder })
      const snapshot = store.snapshots.finish(snapshotId, {
        templateKey,
        pauseMs,
        diskBytes,
        ramBytes,
        frame: frame.frame,
      })
      live.head = snapshotId
      return snapshot
    } catch (error) {
      await fs.rm(folder, { recursive: true, force: true })
      store.snapshots.discard(snapshotId)
      throw error
    }
  }

  /** Children that go on from this very moment, each on its own. The parent runs on. */
  async fork(id: string, count: number): Promise<Machine[]> {
    const { image, memoryMb } = this.#find(id).machine
    this.#admit(Array<number>(count).fill(memoryMb))
    const { id: fromSnapshot, taskId } = await this.snapshot(id, null)
    const born = await Promise.allSettled(
      Array.from({ length: count }, () => this.#start({ image, fromSnapshot, boot: false, allow: [] }, taskId)),
    )
    const failed = born.find((result) => result.status === 'rejected')
    const children = born.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    if (failed) {
      await Promise.all(children.map((child) => this.destroy(child.id)))
      throw failed.reason
    }
    return children
  }

  /** Of a suspended machine, what it showed when it fell asleep: a look is no reason to wake it. */
  async screenshot(id: string): Promise<{ frame: string; width: number; height: number }> {
    const { sandbox, head, machine } = this.#find(id)
    const frame = sandbox || !head ? null : this.snapshotOf(head).frame
    if (frame) return { frame, ...machine.screen }
    return this.use(id, (sandbox) => this.#keepFrame(sandbox))
  }

  async #keepFrame(sandbox: Sandbox): Promise<{ frame: string; width: number; height: number }> {
    const frame = await sandbox.capture()
    const hash = await hashFrame(frame)
    const png = await encodePng(frame)
    await this.#options.frames.put(hash, png)
    const { width, height } = frame
    this.#options.store.frames.insert({ hash, width, height, bytes: png.length, createdAt: new Date().toISOString() })
    return { frame: hash, width, height }
  }

  /** `reason` says why, where it was not asked for. */
  async destroy(id: string, reason: GodHandError | null = null): Promise<void> {
    const live = this.#find(id)
    await live.turn // a machine on its way into or out of sleep gets there first
    const { sandbox } = live
    if (reason || !sandbox) this.#ended(live, reason?.toInfo() ?? null)
    await sandbox?.destroy()
  }

  snapshotOf(id: string): Snapshot {
    const snapshot = this.#options.store.snapshots.get(id)
    if (!snapshot)
      throw new GodHandError('not_found', `There is no snapshot ${id}.`, { hint: 'List them: godhand vm snapshots' })
    return snapshot
  }

  /** Young machines have not yet taken the memory they will; it is theirs all the same. */
  #admit(sizes: number[]): void {
    const promised = [...this.#live.values()].map(({ machine }) => {
      const age = Date.now() - Date.parse(machine.createdAt)
      return expectedMb(machine.memoryMb) * Math.max(0, 1 - age / GROWN_UP_MS)
    })
    admit(
      sizes,
      promised.reduce((sum, each) => sum + each, 0),
    )
  }

  #find(id: string): Live {
    const live = this.#live.get(id)
    if (live) return live
    const ended = this.#options.store.machines.get(id)
    throw new GodHandError(
      'not_found',
      ended
        ? `Machine ${id} has ended${ended.endReason ? `: ${ended.endReason.message}` : '.'}`
        : `There is no machine ${id}.`,
      { hint: 'List the running ones: godhand vm list' },
    )
  }

  #describe({ machine, sandbox, head }: Live): Machine {
    const now = sandbox ? { state: sandbox.state, pid: sandbox.pid } : SUSPENDED
    return { ...machine, ...now, parentSnapshot: head }
  }

  #announce(live: Live): void {
    this.#options.events.emit({ type: 'machine', machine: this.#describe(live) })
  }
}

const SUSPENDED = { state: { kind: 'paused' as const, suspended: true }, pid: null }

function awake({ sandbox, machine }: Live): Sandbox {
  if (sandbox) return sandbox
  throw new GodHandError('conflict', `Machine ${machine.id} is suspended.`, { hint: 'Use it by hand and it wakes up.' })
}
