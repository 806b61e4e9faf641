import fs from 'node:fs/promises'
import path from 'node:path'
import { GodHandError } from '../contract/errors.ts'
import type { Snapshot } from '../contract/machine.ts'
import type { Collected, SnapshotUse } from '../contract/snapshots.ts'
import type { Paths } from '../paths.ts'
import type { SandboxDriver } from '../sandbox/sandbox.ts'
import type { Store } from '../trace/store.ts'
import { hasEnded } from '../trace/task-state.ts'
import type { Machines } from './machines.ts'

export type KeeperOptions = { paths: Paths; store: Store; driver: SandboxDriver; machines: Machines }

const BUDGET = 'snapshots.budgetBytes'
export const DEFAULT_BUDGET = 20 * 1024 ** 3

/** Keeps the tree of snapshots within its budget, whole, and honest about what it costs. */
export class SnapshotKeeper {
  readonly #options: KeeperOptions
  /** Looked at by this engine: they get no smaller. */
  readonly #compressed = new Set<string>()

  constructor(options: KeeperOptions) {
    this.#options = options
  }

  get budgetBytes(): number {
    return Number(this.#options.store.meta.get(BUDGET) ?? DEFAULT_BUDGET)
  }

  setBudget(bytes: number): void {
    this.#options.store.meta.set(BUDGET, String(bytes))
  }

  /** Each snapshot with the bytes that are its own and those it shares with the ones it stands on. */
  async usage(): Promise<SnapshotUse[]> {
    const snapshots = this.#options.store.snapshots.list()
    const own = new Map(await Promise.all(snapshots.map(async ({ id }) => [id, await this.#ownBytes(id)] as const)))
    const parents = new Map(snapshots.map(({ id, parentId }) => [id, parentId]))
    return snapshots.map((snapshot) => {
      let sharedBytes = 0
      for (let id = snapshot.parentId; id; id = parents.get(id) ?? null) sharedBytes += own.get(id) ?? 0
      return {
        snapshot,
        ownBytes: own.get(snapshot.id) ?? 0,
        sharedBytes,
        removable: this.#obstacle(snapshot) === null,
      }
    })
  }

  /** Of these, those that can be removed one after the other, the newest first, and what that would free. */
  async freeable(snapshots: readonly Snapshot[]): Promise<{ ids: string[]; bytes: number }> {
    const { store, machines } = this.#options
    const ids = new Set<string>()
    for (const { id, pinned } of snapshots.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1))) {
      const alone = store.snapshots.children(id).every((child) => ids.has(child.id))
      if (!pinned && alone && !machines.heads().has(id)) ids.add(id)
    }
    const sizes = await Promise.all([...ids].map((id) => this.#ownBytes(id)))
    return { ids: [...ids], bytes: sizes.reduce((sum, size) => sum + size, 0) }
  }

  async remove(id: string): Promise<number> {
    const snapshot = this.#options.machines.snapshotOf(id)
    const obstacle = this.#obstacle(snapshot)
    if (obstacle) throw new GodHandError('conflict', `Snapshot ${id} cannot be removed: ${obstacle}.`)
    const freed = await this.#ownBytes(id)
    // The row goes first: a folder without one is swept at the next start, a row without its folder would lie.
    this.#options.store.snapshots.remove(id)
    await fs.rm(this.#folder(id), { recursive: true, force: true })
    return freed
  }

  /**
   * Removes the oldest snapshots until the budget holds. Only ends of branches go, so no chain breaks. Pinned ones stay;
   * what a person has named is removed only with their consent, else it is listed as what would help.
   */
  async collect({ includeNamed = false, budgetBytes = this.budgetBytes, dryRun = false } = {}): Promise<Collected> {
    const uses = await this.usage()
    const { machines, store } = this.#options
    const inUse = machines.heads()
    /** A task under way may go back to any of its own. */
    const isWorkedOn = ({ taskId }: Snapshot) => {
      const task = taskId === null ? null : store.tasks.get(taskId)
      return task !== null && !hasEnded(task.state)
    }
    const before = uses.reduce((sum, use) => sum + use.ownBytes, 0)
    const left = new Map(uses.map((use) => [use.snapshot.id, use]))
    const collected: Collected = { beforeBytes: before, afterBytes: before, budgetBytes, removed: [], needsConsent: [] }
    while (collected.afterBytes > budgetBytes) {
      const next = oldestEnd([...left.values()], (use) => use.snapshot.label === null || includeNamed)
      if (!next) break
      if (!dryRun) await this.remove(next.snapshot.id)
      left.delete(next.snapshot.id)
      collected.removed.push(next.snapshot.id)
      collected.afterBytes -= next.ownBytes
    }
    if (collected.afterBytes > budgetBytes)
      collected.needsConsent = [...left.values()]
        .filter(({ snapshot }) => snapshot.label !== null && !snapshot.pinned)
        .map(({ snapshot }) => snapshot.id)
    return collected

    /** The oldest that nothing stands on, also after those before it are gone. */
    function oldestEnd(among: SnapshotUse[], allowed: (use: SnapshotUse) => boolean): SnapshotUse | undefined {
      const parents = new Set(among.map(({ snapshot }) => snapshot.parentId))
      return among
        .filter(
          (use) => !use.snapshot.pinned && !parents.has(use.snapshot.id) && allowed(use) && !inUse.has(use.snapshot.id),
        )
        .filter(({ snapshot }) => !isWorkedOn(snapshot))
        .sort((a, b) => (a.snapshot.createdAt < b.snapshot.createdAt ? -1 : 1))[0]
    }
  }

  /** Compresses the memory of snapshots nobody has needed for a while, `most` at once. Returns the bytes saved. */
  async compressCold(olderThanMs: number, most = Number.POSITIVE_INFINITY): Promise<number> {
    let saved = 0
    let done = 0
    for (const { id, createdAt } of this.#options.store.snapshots.list()) {
      if (this.#compressed.has(id)) continue
      if (Date.now() - Date.parse(createdAt) < olderThanMs || this.#options.machines.heads().has(id)) continue
      if (done++ >= most) break
      const before = await this.#ownBytes(id)
      await this.#options.driver.compressSnapshot({ id, folder: this.#folder(id) })
      this.#compressed.add(id)
      saved += before - (await this.#ownBytes(id))
    }
    return saved
  }

  verify(id: string): Promise<void> {
    this.#options.machines.snapshotOf(id)
    return this.#options.driver.verifySnapshot({ id, folder: this.#folder(id) })
  }

  #folder(id: string): string {
    return path.join(this.#options.paths.snapshots, id)
  }

  #obstacle(snapshot: Snapshot): string | null {
    const { store, machines } = this.#options
    if (snapshot.pinned) return 'it is pinned'
    if (machines.heads().has(snapshot.id)) return 'a running machine stands on it'
    const children = store.snapshots.children(snapshot.id).length
    return children > 0 ? `${children} other snapshot${children === 1 ? ' stands' : 's stand'} on it` : null
  }

  /** Blocks on disk, so that holes do not count. */
  async #ownBytes(id: string): Promise<number> {
    const names = await fs.readdir(this.#folder(id)).catch(() => [])
    const stats = await Promise.all(names.map((name) => fs.stat(path.join(this.#folder(id), name)).catch(() => null)))
    return stats.reduce((sum, stat) => sum + (stat ? stat.blocks * 512 : 0), 0)
  }
}
