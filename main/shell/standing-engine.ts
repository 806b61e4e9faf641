import { GodHandError } from '../contract/errors.ts'
import type { EngineEvent } from '../contract/rpc.ts'
import type { Engine } from '../engine.ts'

/**
 * Stands for the engine of a data folder, whichever it is: it may still be on its way, and after a reset it is another
 * one behind the same doors.
 *
 *  opening (whoever asks waits) ──► open ◄──► being replaced (whoever asks is told)
 *     └──► never: it could not be opened, and whoever asked hears why
 */
export function standingEngine() {
  const opening = Promise.withResolvers<void>()
  let underWay: Promise<void> | null = null
  let current: Engine | null = null
  /** Each with the way to stop hearing the present engine. */
  const listeners = new Map<(event: EngineEvent) => void, () => void>()
  const present = (): Engine => {
    if (current) return current
    throw new GodHandError('conflict', 'GodHand is not ready yet.', { hint: 'It takes a moment.' })
  }
  const now = async (): Promise<Engine> => {
    await opening.promise
    return present()
  }
  const enter = (engine: Engine) => {
    for (const listener of listeners.keys()) listeners.set(listener, engine.onEvent(listener))
    current = engine
  }
  const engine: Engine = {
    call: async (method, input) => (await now()).call(method, input),
    onEvent(listener) {
      listeners.set(listener, current?.onEvent(listener) ?? (() => {}))
      return () => {
        listeners.get(listener)?.()
        listeners.delete(listener)
      }
    },
    framePng: async (hash) => (await now()).framePng(hash),
    exported: (exportId) => present().exported(exportId),
    download: (taskId, format) => present().download(taskId, format),
    openVnc: async (machineId) => (await now()).openVnc(machineId),
    openTerminal: async (machineId, size) => (await now()).openTerminal(machineId, size),
    guestFile: async (machineId, path) => (await now()).guestFile(machineId, path),
    busy: () => current?.busy() ?? true,
    close: async () => {
      await underWay // one that is half open is opened first
      await current?.close()
    },
  }
  return {
    engine,
    open(open: () => Promise<Engine>): Promise<void> {
      open().then(enter).then(opening.resolve, opening.reject)
      underWay = opening.promise.catch(() => {})
      return opening.promise
    },
    /** Ends the present one, does `between`, and goes on with a new one, even where `between` failed. */
    async replace(between: () => Promise<void>, open: () => Promise<Engine>): Promise<void> {
      const leaving = await now()
      current = null
      for (const stopHearing of listeners.values()) stopHearing()
      await leaving.close()
      try {
        await between()
      } finally {
        enter(await open())
      }
    },
  }
}
