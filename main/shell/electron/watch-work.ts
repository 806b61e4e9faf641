import { type Client, connect } from '../../contract/client.ts'
import type { EngineDoor } from './engine-door.ts'
import { afterEvent, noWork, type Work, workOf } from './work.ts'

export type WorkWatch = { readonly client: Client; now(): Work; close(): void }

/** Keeps in mind what goes on in the engine, over the same door as everybody else. */
export function watchWork(door: EngineDoor, onChange: (work: Work) => void): WorkWatch {
  let work = noWork
  const enter = (next: Work) => {
    if (next === work) return
    work = next
    onChange(work)
  }
  const client = connect({
    url: door.rpcUrl,
    token: door.token,
    onEvent: (event) => enter(afterEvent(work, event)),
    onState: (state) => {
      if (state === 'open')
        void list().catch(() => {}) // a connection that broke again comes back here
      else if (state !== 'connecting') enter(noWork)
    },
  })
  const list = async () => {
    const [tasks, machines] = await Promise.all([client.call('task.list', {}), client.call('vm.list', {})])
    enter(workOf(tasks, machines))
  }
  return { client, now: () => work, close: () => client.close() }
}
