import { GodHandError } from '../contract/errors.ts'
import type { ImageWork } from '../contract/image.ts'
import type { OnProgress } from '../contract/progress.ts'
import { newId } from '../trace/ids.ts'
import type { Events } from './events.ts'

type Begun = { report: OnProgress; end: (error?: unknown) => void }

/** What takes minutes (images, pre-booted desktops), told to whoever looks while it is made. */
export class ImageWorks {
  readonly #events: Events
  readonly #running = new Map<string, ImageWork>()

  constructor(events: Events) {
    this.#events = events
  }

  get busy(): boolean {
    return this.#running.size > 0
  }

  list(): ImageWork[] {
    return [...this.#running.values()]
  }

  /** Nothing is told before the first report: most desktops are ready and take no work at all. */
  begin(what: ImageWork['what'], name: string): Begun {
    const id = newId('work')
    return {
      report: (progress) => {
        const known = this.#running.get(id)?.progress
        const work: ImageWork = { id, what, name, progress, state: 'running' }
        this.#running.set(id, work)
        if (known?.step !== progress.step || known.done !== progress.done) this.#events.emit({ type: 'image', work })
      },
      end: (thrown) => {
        const work = this.#running.get(id)
        if (!this.#running.delete(id) || !work) return
        const ending =
          thrown === undefined
            ? { state: 'done' as const }
            : { state: 'failed' as const, error: GodHandError.from(thrown).toInfo() }
        this.#events.emit({ type: 'image', work: { ...work, ...ending } })
      },
    }
  }
}
