import { GodHandError } from '../../contract/errors.ts'
import type { Paths } from '../../paths.ts'
import { findEngine } from '../find-engine.ts'
import { type Served, type ServeOptions, serve } from '../serve.ts'

/** The way into the engine: our own, or the one that already runs on this data folder (the command line's, say). */
export type EngineDoor = {
  readonly own: Served | null
  readonly rpcUrl: string
  readonly token: string
  /** An address that lets the window in, once. */
  newLink(): Promise<string>
}

/** How the engine is served; tests bring another engine. */
export type Serving = Omit<ServeOptions, 'paths' | 'idleMs'>

export async function openDoor(paths: Paths, serving: Serving): Promise<EngineDoor> {
  try {
    const own = await serve({ ...serving, paths })
    const { port, token } = own.server
    return { own, rpcUrl: `ws://127.0.0.1:${port}/rpc`, token, newLink: async () => own.server.newLink() }
  } catch (thrown) {
    const running = GodHandError.from(thrown).code === 'engine_running' ? await findEngine(paths) : null
    if (!running) throw thrown
    return { own: null, rpcUrl: running.rpcUrl, token: running.token, newLink: running.newLink }
  }
}
