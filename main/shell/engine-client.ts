import { setTimeout as pause } from 'node:timers/promises'
import { type Client, connect } from '../contract/client.ts'
import { GodHandError } from '../contract/errors.ts'
import type { EngineEvent, Output } from '../contract/rpc.ts'
import type { Paths } from '../paths.ts'
import { ensureWritable } from './engine-lock.ts'
import { type FoundEngine, findEngine } from './find-engine.ts'
import { isAlive } from './process-identity.ts'
import { prepareMachines, startEngine } from './start-engine.ts'

export type EngineConnection = {
  readonly engine: FoundEngine
  readonly client: Client
  readonly info: Output<'engine.info'>
  readonly startedHere: boolean
}

type ConnectOptions = {
  paths: Paths
  /** Whether machines are wanted: then QEMU and the image are brought first where they are missing. */
  machines: boolean
  onEvent?: (event: EngineEvent) => void
  onClosed?: () => void
}

/** The running engine of this data folder; one is started in the background when there is none. */
export async function connectEngine(options: ConnectOptions): Promise<EngineConnection> {
  const running = await findEngine(options.paths)
  if (!running) ensureWritable(options.paths) // before minutes are spent on what could not be kept
  if (running) {
    const connection = await connectTo(running, options, false)
    if (!options.machines || !lacksMachines(connection)) return connection
    // It was started before the image was there (by `doctor`, say): what it knows is out of date.
    await prepareMachines({ image: true })
    await stopEngine(connection)
  } else await prepareMachines({ image: options.machines }) // an engine always wants QEMU
  return await connectTo(await startEngine(options.paths), options, true)
}

async function connectTo(
  engine: FoundEngine,
  options: ConnectOptions,
  startedHere: boolean,
): Promise<EngineConnection> {
  const client = connect({
    url: engine.rpcUrl,
    token: engine.token,
    reconnect: false,
    ...(options.onEvent ? { onEvent: options.onEvent } : {}),
    onState: (state) => {
      if (state === 'closed') options.onClosed?.()
    },
  })
  return { engine, client, info: await client.call('engine.info', {}), startedHere }
}

function lacksMachines({ info }: EngineConnection): boolean {
  return info.readiness.kind === 'broken' && info.readiness.error.code === 'missing_prerequisite'
}

/** Asks it to leave and waits until its process has. */
export async function stopEngine({ engine, client }: EngineConnection): Promise<void> {
  await client.call('engine.shutdown', {})
  client.close()
  const limit = Date.now() + 30_000
  while (isAlive(engine.pid)) {
    if (Date.now() > limit)
      throw new GodHandError('timeout', `The engine (process ${engine.pid}) was asked to leave but still runs.`, {
        hint: `End it with: kill ${engine.pid}`,
      })
    await pause(50)
  }
}
