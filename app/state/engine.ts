import { type Client, connect } from '../../main/contract/client.ts'
import { GodHandError } from '../../main/contract/errors.ts'
import type { Input, MethodName, Output } from '../../main/contract/rpc.ts'
import { text } from '../text.ts'
import { comeBack, prepareToComeBack } from './returning.ts'
import { change, useStore } from './store.ts'
import { tellNews } from './tell.ts'
import { toast, toastError } from './toasts.ts'
import { applyEvent, withLists } from './world.ts'

let client: Client | undefined

/** Address of something the engine serves as a socket, on the host this page came from. */
export function socketUrl(path: string): string {
  const url = new URL(path, window.location.href)
  url.protocol = url.protocol.replace('http', 'ws')
  return url.href
}

export const frameUrl = (hash: string): string => `/frames/${encodeURIComponent(hash)}.png`

export function startEngine(): void {
  client = connect({
    url: socketUrl('/rpc'),
    onEvent: (event) => {
      const before = event.type === 'task' ? useStore.getState().tasks[event.task.id] : undefined
      change((world) => applyEvent(world, event))
      if (event.type === 'task') tellNews(before, event.task)
    },
    onState: (connection) => {
      useStore.setState({ connection })
      if (connection === 'unauthorised') void comeBack(retryConnection)
      if (connection !== 'open') return
      prepareToComeBack()
      useStore.setState((store) => ({ connectedTimes: store.connectedTimes + 1 }))
      if (useStore.getState().connectedTimes > 1) toast(text.connection.back)
      void refresh()
    },
  })
}

/** Asks for everything anew. */
export async function refresh(): Promise<void> {
  try {
    const [info, tasks, machines] = await Promise.all([
      call('engine.info', {}),
      call('task.list', {}),
      call('vm.list', {}),
    ])
    change((world) => withLists(world, { info, tasks, machines }))
  } catch (thrown) {
    const error = GodHandError.from(thrown)
    // A connection that broke again is said by the banner, and this runs again when it is back.
    if (error.code !== 'engine_unreachable') toastError(error)
  }
}

export function call<M extends MethodName>(method: M, params: Input<M>): Promise<Output<M>> {
  if (!client) return Promise.reject(new GodHandError('engine_unreachable', 'The connection was not started.'))
  return client.call(method, params)
}

export const retryConnection = (): void => client?.retry()
