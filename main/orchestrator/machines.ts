import path from 'node:path'
import type { Duplex } from 'node:stream'
import type { EgressAttempt } from '../contract/egress.ts'
import type { Environment } from '../contract/environment.ts'
import { type ErrorInfo, GodHandError } from '../contract/errors.ts'
import type { CreateMachine, Machine, MachineUse, Snapshot } from '../contract/machine.ts'
import type { KeptFrame } from '../contract/reading.ts'
import type { TerminalSize } from '../contract/terminal.ts'
import type { Paths } from '../paths.ts'
import { parseRule } from '../sandbox/egress/allowlist.ts'
import { machineSizeFor } from '../sandbox/machine-size.ts'
import type { Sandbox, SandboxDriver, Terminal } from '../sandbox/sandbox.ts'
import type { FrameStore } from '../trace/frame-store.ts'
import { newId } from '../trace/ids.ts'
import type { Store } from '../trace/store.ts'
import { admit, promisedMb } from './capacity.ts'
import type { Events } from './events.ts'
import type { ImageWorks } from './image-works.ts'
import { LiveMachine } from './live-machine.ts'
import { SnapshotTaker } from './snapshot-taker.ts'
import { holdBack, type OnAttempt, openWayOut, releaseWayOut, triedAside } from './way-out.ts'

export type MachinesOptions = {
  size?: () => { memoryMb: number } // of machines nobody asked to be of another

  paths: Paths
  store: Store
  frames: FrameStore
  driver: SandboxDriver
  events: Events
  imageWork?: ImageWorks
}

/** The live machines, and the tree of snapshots they come from. */
export class Machines {
  readonly #options: MachinesOptions
  readonly #taker: SnapshotTaker
  readonly #live = new Map<string, LiveMachine>()

  constructor(options: MachinesOptions) {
    this.#options = options
    this.#taker = new SnapshotTaker(options)
    this.#recall()
  }

  /** Machines that slept when the last engine ended are here again, still asleep. */
  #recall(): void {
    const { store, driver } = this.#options
    for (const { snapshotId, needs, ...born } of store.machines.sleeping()) {
      if (born.driver !== driver.name) continue // theirs to wake
      const { allow, ...rest } = needs
      const machine: Machine = { ...born, ...rest, state: { kind: 'paused', suspended: true } }
      this.#live.set(born.id, new LiveMachine({ machine, allow, held: null, head: snapshotId }))
    }
  }

  list(): Machine[] {
    return [...this.#live.values()].map((live) => live.describe())
  }

  /** How many are up; those asleep outlive the engine. */
  get awakeCount(): number {
    return [...this.#live.values()].filter(({ sandbox }) => sandbox !== null).length
  }

  /** Of a machine that is up. Whoever may find it asleep goes through `use`. */
  sandbox(id: string): Sandbox {
    return this.#find(id).awake()
  }

  /** Wakes the machine if it sleeps, and keeps it awake until the work is done. */
  async use<T>(id: string, work: (sandbox: Sandbox) => Promise<T>): Promise<T> {
    const live = this.#find(id)
    const endUse = live.startUse()
    try {
      await live.inTurn(() => this.#wake(live))
      return await work(live.awake())
    } finally {
      endUse()
    }
  }

  /** The live view keeps its machine awake for as long as somebody looks. */
  async openVnc(id: string): Promise<Duplex> {
    return this.#whileOpen(id, await this.use(id, (sandbox) => sandbox.openVnc()))
  }

  async openTerminal(id: string, size: TerminalSize): Promise<Terminal> {
    const terminal = await this.use(id, async (sandbox) => sandbox.openTerminal?.(size))
    if (!terminal) throw new GodHandError('unsupported', 'This kind of machine has no terminal.')
    this.#whileOpen(id, terminal.stream)
    return terminal
  }

  #whileOpen(id: string, stream: Duplex): Duplex {
    stream.once('close', this.#find(id).startUse())
    return stream
  }

  /** Machines nobody uses, with when they were last used. Paused ones are as somebody wants them. */
  idle(): { machine: Machine; usedAt: number }[] {
    return [...this.#live.values()]
      .filter(({ sandbox, inUse }) => sandbox?.state.kind === 'running' && !inUse)
      .map((live) => ({ machine: live.describe(), usedAt: live.usedAt }))
  }

  /** What each takes of this host: of its memory and disk while it is up, of the disk alone while it sleeps. */
  usage(): Promise<MachineUse[]> {
    return Promise.all(
      [...this.#live.values()].map(async ({ id: machineId, sandbox, head }) => {
        const now = await sandbox?.usage?.().catch(() => null) // it may have ended just now
        const kept = !sandbox && head ? this.#options.store.snapshots.get(head) : null
        return { machineId, memoryBytes: null, diskBytes: kept ? kept.diskBytes + kept.ramBytes : 0, ...now }
      }),
    )
  }

  /** Keeps an idle machine as a snapshot and ends its process. False when somebody came to use it meanwhile. */
  async suspend(id: string): Promise<boolean> {
    const live = this.#find(id)
    return live.inTurn(async () => {
      const { sandbox } = live
      if (!sandbox || live.inUse) return false
      const { id: snapshotId } = await this.#taker.take(live, sandbox, null)
      if (live.inUse || sandbox.state.kind === 'dead') return false
      this.#options.store.machines.fallAsleep(id, snapshotId, { ...live.describe(), allow: live.allow })
      live.sandbox = null
      await sandbox.destroy()
      this.#announce(live)
      return true
    })
  }

  /** The same because a person wants it: what stands in the way is said. */
  async suspendNow(id: string): Promise<Machine> {
    const live = this.#find(id)
    const asleep = (await this.suspend(id)) || live.sandbox === null
    if (asleep) return live.describe()
    throw new GodHandError('conflict', `Machine ${id} is in use.`, {
      hint: 'Close its live view, wait for its task, and suspend it then.',
    })
  }

  async #wake(live: LiveMachine): Promise<void> {
    if (live.sandbox || !live.head) return
    const { driver, store } = this.#options
    const { id, image, memoryMb, cpus } = live.machine
    this.#admit([memoryMb])
    const sandbox = await driver.create({ id, image, memoryMb, cpus, fromSnapshot: this.#filesOf(live.head) })
    store.machines.setPid(id, sandbox.pid)
    await this.#attach(live, sandbox)
  }

  /** What machines of an image are made of, where the driver can say. */
  async environment(image: string): Promise<Environment | null> {
    return (await this.#options.driver.environment?.(image).catch(() => null)) ?? null
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
    this.#admit([wish.memoryMb ?? this.#options.size?.().memoryMb ?? machineSizeFor().memoryMb])
    return this.#start(wish, taskId, signal, held)
  }

  async #start(
    wish: CreateMachine,
    taskId: string | null,
    signal?: AbortSignal,
    held: OnAttempt | null = null,
  ): Promise<Machine> {
    const { store, driver } = this.#options
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
      const work = this.#options.imageWork?.begin('template', born.image)
      const fromSnapshot = from ? this.#filesOf(from.id) : undefined
      sandbox = await driver
        .create({ ...spec, fromSnapshot, onProgress: work?.report }, signal)
        .finally(() => work?.end())
    } catch (error) {
      store.machines.end(id, GodHandError.from(error).toInfo())
      throw error
    }
    if (sandbox.pid !== null) store.machines.setPid(id, sandbox.pid)
    const environment = await this.environment(born.image)
    if (environment) store.machines.setEnvironment(id, environment)
    const machine: Machine = {
      ...born,
      state: sandbox.state,
      memoryMb: sandbox.memoryMb,
      cpus: sandbox.cpus,
      screen: sandbox.screen,
      ...(sandbox.canExec === false && { exec: false }),
      startedInMs: Math.round(performance.now() - began),
    }
    const live = new LiveMachine({ machine, allow: wish.allow, held, head: from?.id ?? null })
    this.#live.set(id, live)
    await this.#attach(live, sandbox)
    return live.describe()
  }

  async #attach(live: LiveMachine, sandbox: Sandbox): Promise<void> {
    live.sandbox = sandbox
    sandbox.onDeath((state) => {
      if (live.sandbox === sandbox) this.#ended(live, state.reason) // else it was put to sleep
    })
    sandbox.onHeld?.(() => this.#announce(live))
    if (sandbox.state.kind === 'dead') {
      this.#ended(live, sandbox.state.reason)
      throw new GodHandError('machine_died', 'The machine ended as soon as it had started.')
    }
    await holdBack(live, sandbox)
    if (live.allow.length > 0) await openWayOut(live, sandbox, this.#options.events)
    this.#announce(live)
  }

  #ended(live: LiveMachine, reason: ErrorInfo | null): void {
    if (!this.#live.delete(live.id)) return
    this.#options.store.machines.end(live.id, reason)
    this.#options.events.emit({ type: 'machine', machine: { ...live.describe(), state: { kind: 'dead', reason } } })
  }

  /** What a machine that is held back has tried to reach beside its proxy. */
  triedAside(id: string): Promise<EgressAttempt[]> {
    return triedAside(this.#find(id))
  }

  release(id: string): Promise<void> {
    return releaseWayOut(this.#find(id), this.#options.events)
  }

  async setPaused(id: string, paused: boolean): Promise<Machine> {
    const live = this.#find(id)
    await this.use(id, (sandbox) => (paused ? sandbox.pause() : sandbox.resume()))
    this.#announce(live)
    return live.describe()
  }

  /** RAM, devices and disk of a live machine, as a new node of the tree. */
  snapshot(id: string, label: string | null): Promise<Snapshot> {
    return this.use(id, async (sandbox) => {
      const live = this.#find(id)
      const snapshot = await this.#taker.take(live, sandbox, label)
      this.#announce(live) // it stands on another moment now
      return snapshot
    })
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
  async screenshot(id: string): Promise<KeptFrame> {
    const { sandbox, head, machine } = this.#find(id)
    const frame = sandbox || !head ? null : this.snapshotOf(head).frame
    if (frame) return { frame, ...machine.screen }
    return this.use(id, (awake) => this.#taker.keepFrame(awake))
  }

  /** A last snapshot of one that is about to end. One that sleeps lies in its snapshot already. */
  async keep(id: string): Promise<void> {
    const live = this.#find(id)
    if (live.sandbox) await this.#taker.take(live, live.sandbox, null)
  }

  /** `reason` says why, where it was not asked for. */
  async destroy(id: string, reason: GodHandError | null = null): Promise<void> {
    const live = this.#find(id)
    await live.settled // a machine on its way into or out of sleep gets there first
    const { sandbox } = live
    if (reason || !sandbox) this.#ended(live, reason?.toInfo() ?? null)
    await sandbox?.destroy()
  }

  snapshotOf(id: string): Snapshot {
    const snapshot = this.#options.store.snapshots.get(id)
    if (!snapshot)
      throw new GodHandError('not_found', `There is no snapshot ${id}.`, { hint: 'List them: godhand snapshot list' })
    return snapshot
  }

  #filesOf(id: string) {
    return { id, folder: path.join(this.#options.paths.snapshots, id) }
  }

  #admit(sizes: number[]): void {
    admit(sizes, promisedMb([...this.#live.values()].map(({ machine }) => machine)))
  }

  #find(id: string): LiveMachine {
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

  #announce(live: LiveMachine): void {
    this.#options.events.emit({ type: 'machine', machine: live.describe() })
  }
}
