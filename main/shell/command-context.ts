import type { EngineEvent } from '../contract/rpc.ts'
import { currentPaths } from '../paths.ts'
import { connectEngine, type EngineConnection } from './engine-client.ts'
import type { Output } from './output.ts'
import { progressBar } from './progress-bar.mjs'

type With = { machines: boolean; onEvent?: (event: EngineEvent) => void; onClosed?: () => void }

/**
 * Connects, does the command's work, and lets go. While the engine gets a desktop or an image ready a bar shows how far it
 * is, and what a person should know about the engine's last run is said when it was started for this command.
 */
export async function withEngine<T>(
  output: Output,
  wish: With,
  work: (engine: EngineConnection) => Promise<T>,
): Promise<T> {
  const bar = progressBar()
  const onEvent = (event: EngineEvent) => {
    if (event.type === 'readiness' && wish.machines && !output.json) {
      if (event.readiness.kind === 'preparing') bar.report(event.readiness.progress)
      else bar.done()
    }
    if (event.type === 'image' && wish.machines && !output.json) {
      if (event.work.state === 'running') bar.report(event.work.progress)
      else bar.clear()
    }
    wish.onEvent?.(event)
  }
  const connection = await connectEngine({ ...wish, paths: currentPaths(), onEvent })
  try {
    if (connection.startedHere) for (const notice of connection.info.notices) output.note(notice)
    return await work(connection)
  } finally {
    bar.clear()
    connection.client.close()
  }
}
