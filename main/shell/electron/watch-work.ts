import { type Client, connect } from '../../contract/client.ts'
import type { EngineEvent } from '../../contract/rpc.ts'
import type { EngineDoor } from './engine-door.ts'
import { afterEvent, noWork, type Work, workOf } from './work.ts'

export type WorkWatch = { readonly client: Client; now(): Work; close(): void }

/** Keeps in mind what goes on in the engine, over the same door as everybody else. */
export function watchWork(door: EngineDoor, onChange: (work: Work) => void): WorkWatch {
  let work = noWork
  let meanwhile: EngineEvent[] | null = null // while a list is on its way
  const enter = (next: Work) => {
    if (next === work) return
    work = next
    onChange(work)
  }
  const client = connect({
    url: door.rpcUrl,
    token: door.token,
    onEvent: (event) => {
      meanwhile?.push(event)
      enter(afterEvent(work, event))
    },
    onState: (state) => {
      if (state === 'open')
        void list().catch(() => {}) // a connection that broke again comes back here
      else if (state !== 'connecting') enter(noWork)
    },
  })
  const list = async () => {
    const told: EngineEvent[] = []
    meanwhile = told
    const [tasks, machines] = await Promise.all([client.call('task.list', {}), client.call('vm.list', {})])
    // An answer may be older than what was told while it was on its way.
    enter(told.reduce(afterEvent, workOf(tasks, machines)))
    if (meanwhile === told) meanwhile = null
  }
  return { client, now: () => work, close: () => client.close() }
}
