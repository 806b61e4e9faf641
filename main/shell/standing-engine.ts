import { GodHandError } from '../contract/errors.ts'
import type { EngineEvent } from '../contract/rpc.ts'
import type { Engine } from '../engine.ts'

/** Stands for the engine of a data folder, whichever it is: after a reset it is another one behind the same doors. */
export function standingEngine(first: Engine) {
  let current: Engine | null = first
  /** Each with the way to stop hearing the present engine. */
  const listeners = new Map<(event: EngineEvent) => void, () => void>()
  const now = (): Engine => {
    if (current) return current
    throw new GodHandError('conflict', 'GodHand is being reset.', { hint: 'It takes a moment.' })
  }
  const engine: Engine = {
    call: async (method, input) => now().call(method, input),
    onEvent(listener) {
      listeners.set(listener, current?.onEvent(listener) ?? (() => {}))
      return () => {
        listeners.get(listener)?.()
        listeners.delete(listener)
      }
    },
    framePng: async (hash) => now().framePng(hash),
    exported: (exportId) => now().exported(exportId),
    download: (taskId, format) => now().download(taskId, format),
    openVnc: async (machineId) => now().openVnc(machineId),
    openTerminal: async (machineId, size) => now().openTerminal(machineId, size),
    guestFile: async (machineId, path) => now().guestFile(machineId, path),
    busy: () => current?.busy() ?? true,
    close: async () => {
      await current?.close()
    },
  }
  return {
    engine,
    /** Ends the present one, does `between`, and goes on with a new one, even where `between` failed. */
    async replace(between: () => Promise<void>, open: () => Promise<Engine>): Promise<void> {
      const leaving = now()
      current = null
      for (const stopHearing of listeners.values()) stopHearing()
      await leaving.close()
      try {
        await between()
      } finally {
        const next = await open()
        for (const listener of listeners.keys()) listeners.set(listener, next.onEvent(listener))
        current = next
      }
    },
  }
}
