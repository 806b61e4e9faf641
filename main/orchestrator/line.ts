import { GodHandError } from '../contract/errors.ts'
import type { Machine, Snapshot } from '../contract/machine.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { lineageOf } from '../trace/lineage.ts'
import type { Store } from '../trace/store.ts'
import type { Machines } from './machines.ts'

type LineOptions = {
  machines: Machines
  store: Store
  taskId: string
  image: string
  allow: string[]
  name: string
  signal: AbortSignal
  onSwitch: (machineId: string) => void
}

/** What a task, or one of its branches, stands on: the machine it drives now, and the ones it can go back to. */
export class Line {
  readonly #options: LineOptions
  #machineId: string
  #sandbox: Sandbox // kept: one that has died still says so when it is used

  constructor(machineId: string, options: LineOptions) {
    this.#machineId = machineId
    this.#options = options
    this.#sandbox = options.machines.sandbox(machineId)
  }

  get machineId(): string {
    return this.#machineId
  }

  sandbox(): Sandbox {
    return this.#sandbox
  }

  head(): string | null {
    return this.#options.machines.head(this.#machineId)
  }

  keep(label: string | null): Promise<Snapshot> {
    return this.#options.machines.snapshot(this.#machineId, label)
  }

  /** Another machine of the same task, from a snapshot or, with null, fresh. */
  spawn(fromSnapshot: string | null, name = this.#options.name, signal = this.#options.signal): Promise<Machine> {
    const { machines, image, allow, taskId } = this.#options
    const from = fromSnapshot === null ? {} : { fromSnapshot }
    return machines.create({ image, boot: false, name: name.slice(0, 100), allow, ...from }, taskId, signal)
  }

  find(name: string): Snapshot {
    return snapshotOfTask(this.#options.store, this.#options.taskId, name)
  }

  async goBack(snapshotId: string | null): Promise<void> {
    const machine = await this.spawn(snapshotId).catch(async (thrown: unknown) => {
      if (GodHandError.from(thrown).code !== 'capacity') throw thrown
      await this.#end() // what is to be thrown away makes the room
      return this.spawn(snapshotId)
    })
    await this.switchTo(machine.id)
  }

  /** From now on this is the machine; the one before is gone. */
  async switchTo(machineId: string): Promise<void> {
    await this.#end()
    this.#machineId = machineId
    this.#sandbox = this.#options.machines.sandbox(machineId)
    this.#options.onSwitch(machineId)
  }

  async #end(): Promise<void> {
    await this.#options.machines.destroy(this.#machineId).catch(() => {}) // it may have died by itself
  }
}

/** By label or id; the newest of that name. The one the task began with counts too. */
export function snapshotOfTask(store: Store, taskId: string, name: string): Snapshot {
  const own = lineageOf(store, taskId).snapshots
  const found = own.findLast(({ id, label }) => id === name || label === name)
  if (found) return found
  const labels = own.flatMap(({ label }) => label ?? [])
  throw new GodHandError('not_found', `There is no checkpoint “${name}”.`, {
    hint: labels.length > 0 ? `There are: ${labels.join(', ')}.` : 'None was made yet.',
  })
}
