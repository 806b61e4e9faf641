import type { EngineEvent } from '../contract/rpc.ts'

/** Everything that happens, to everyone who listens. A listener that throws does not take the others' news away. */
export class Events {
  readonly #listeners = new Set<(event: EngineEvent) => void>()

  emit(event: EngineEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event)
      } catch (error) {
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }

  on(listener: (event: EngineEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
