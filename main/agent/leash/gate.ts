/** Where a task waits while it is paused. */
export class Gate {
  #open: (() => void) | null = null
  #wait: Promise<void> | null = null
  #knocked = Promise.withResolvers<void>()

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

  /** Whoever waits looks up, and comes back if it is still closed. */
  knock(): void {
    this.#knocked.resolve()
    this.#knocked = Promise.withResolvers<void>()
  }

  /** Goes through at once, when it is opened, or at a knock; stopping the task ends the wait. */
  async pass(signal: AbortSignal): Promise<void> {
    if (this.#wait) {
      signal.throwIfAborted()
      const stopped = Promise.withResolvers<void>()
      const onStop = () => stopped.resolve()
      signal.addEventListener('abort', onStop, { once: true })
      await Promise.race([this.#wait, stopped.promise, this.#knocked.promise])
      signal.removeEventListener('abort', onStop)
    }
    signal.throwIfAborted()
  }
}
