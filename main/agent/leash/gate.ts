/** Where a task waits while it is paused. */
export class Gate {
  #open: (() => void) | null = null
  #wait: Promise<void> | null = null

  get paused(): boolean {
    return this.#wait !== null
  }

  pause(): void {
    this.#wait ??= new Promise((resolve) => {
      this.#open = resolve
    })
  }

  resume(): void {
    this.#open?.()
    this.#open = null
    this.#wait = null
  }

  /** Goes through at once, or when it is opened; stopping the task ends the wait. */
  async pass(signal: AbortSignal): Promise<void> {
    while (this.#wait) {
      signal.throwIfAborted()
      const stopped = Promise.withResolvers<void>()
      const onStop = () => stopped.resolve()
      signal.addEventListener('abort', onStop, { once: true })
      await Promise.race([this.#wait, stopped.promise])
      signal.removeEventListener('abort', onStop)
    }
    signal.throwIfAborted()
  }
}
