import { z } from 'zod'
import type { InputEvent } from '../sandbox.ts'
import { until } from './patience.ts'
import type { Qmp } from './qmp.ts'

const Status = z.object({ 'used-idx': z.number() })

const FIRST_PATIENCE_MS = 5000
const LATER_PATIENCE_MS = 1000
/** How long lamps that did not answer are left alone; twice as long each time, as some guests have none. */
const SHORTEST_REST_MS = 10_000
const LONGEST_REST_MS = 300_000

/**
 * The keyboard's Num Lock lamp as a witness: a press changes it only when the guest's display server has dealt with that
 * press, and the change comes back through the device's status queue.
 */
export class GuestLamps {
  readonly #qmp: Pick<Qmp, 'execute'>
  readonly #keyboard: string
  readonly #put: (events: InputEvent[]) => Promise<void>
  #failures = 0
  #restUntil = 0

  constructor(qmp: Pick<Qmp, 'execute'>, keyboard: string, put: (events: InputEvent[]) => Promise<void>) {
    this.#qmp = qmp
    this.#keyboard = keyboard
    this.#put = put
  }

  /**
   * Until the display server has dealt with everything sent before; false where the lamps tell nothing. The server looks
   * at all devices that have something for it, in any order, and then again. So one answer speaks for the keyboard
   * alone, and the second, to a press that was sent only after the first, for the other devices, too.
   */
  async witness(alsoOthers: boolean): Promise<boolean> {
    if (performance.now() < this.#restUntil) return false
    const press: InputEvent[] = [true, false].map((down) => ({ kind: 'key', code: 'num_lock', down }))
    const before = await this.#changes()
    const changed = (times: number) => async () => ((await this.#changes()) - before + 0x10000) % 0x10000 >= times
    const patience = this.#failures === 0 ? FIRST_PATIENCE_MS : LATER_PATIENCE_MS
    await this.#put(alsoOthers ? press : [...press, ...press])
    const first = await until(changed(1), patience)
    // Whatever the lamp says, the key was pressed once and must be pressed again to be as it was.
    if (alsoOthers) await this.#put(press)
    const all = first && (await until(changed(2), patience))
    this.#failures = all ? 0 : this.#failures + 1
    if (!all) this.#restUntil = performance.now() + restAfter(this.#failures)
    return all
  }

  async #changes(): Promise<number> {
    const status = await this.#qmp.execute('x-query-virtio-queue-status', { path: this.#keyboard, queue: 1 })
    return Status.parse(status)['used-idx']
  }
}

function restAfter(failures: number): number {
  return Math.min(SHORTEST_REST_MS * 2 ** (failures - 1), LONGEST_REST_MS)
}
