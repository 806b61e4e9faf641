import type { Client } from '../../contract/client.ts'
import { idleMachines, type Work } from './work.ts'

/** Lets machines that work for nobody stand still while the window is out of sight, and go on when it is back. */
export class Background {
  readonly #client: Pick<Client, 'call'>
  #paused: string[] = []
  #last: Promise<unknown> = Promise.resolve()

  constructor(client: Pick<Client, 'call'>) {
    this.#client = client
  }

  /** A machine that is already gone, or that somebody else woke, is no reason to stop. */
  leave(work: Work): Promise<void> {
    return this.#next(async () => {
      for (const { id } of idleMachines(work)) if (await this.#try('vm.pause', id)) this.#paused.push(id)
    })
  }

  comeBack(): Promise<void> {
    return this.#next(async () => {
      for (const id of this.#paused.splice(0)) await this.#try('vm.resume', id)
    })
  }

  /** One after the other: a window can be hidden and shown faster than machines can. */
  #next(work: () => Promise<void>): Promise<void> {
    const turn = this.#last.then(work)
    this.#last = turn.catch(() => {})
    return turn
  }

  async #try(method: 'vm.pause' | 'vm.resume', machineId: string): Promise<boolean> {
    return await this.#client.call(method, { machineId }).then(
      () => true,
      () => false,
    )
  }
}
