import { Settings } from '../contract/settings.ts'
import type { RunTask } from '../contract/task.ts'
import { machineSizeFor } from '../sandbox/machine-size.ts'
import type { Store } from '../trace/store.ts'
import { isModel } from './task-control.ts'

const KEY = 'settings'

/** What the person chose. What an older or newer version wrote and this one can't read counts as not chosen. */
export class SettingsKeeper {
  readonly #store: Store
  #now: Settings

  constructor(store: Store) {
    this.#store = store
    this.#now = Settings.catch(Settings.parse({})).parse(readJson(store.meta.get(KEY)))
  }

  get now(): Settings {
    return this.#now
  }

  set(settings: Settings): void {
    this.#store.meta.set(KEY, JSON.stringify(settings))
    this.#now = settings
  }

  /** Of machines nobody asked to be of another size. */
  get machineSize() {
    return this.#now.machine ?? machineSizeFor()
  }

  /** A model asks as the person wants it, unless the task says otherwise. Scripts do as they are written. */
  appliedTo(request: RunTask): RunTask {
    const { approval } = this.#now
    return approval !== null && request.approval === undefined && isModel(request.planner)
      ? { ...request, approval }
      : request
  }
}

function readJson(text: string | null): unknown {
  try {
    return text === null ? {} : JSON.parse(text)
  } catch {
    return {}
  }
}
