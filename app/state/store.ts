import { create } from 'zustand'
import type { ConnectionState } from '../../main/contract/client.ts'
import { emptyWorld, type World } from './world.ts'

export type Store = World & {
  connection: ConnectionState
  /** Grows with each connection: views fetch what they show again when it does. */
  connectedTimes: number
}

export const useStore = create<Store>()(() => ({ ...emptyWorld, connection: 'connecting', connectedTimes: 0 }))

/** Runs one of the functions of world.ts on what is known. */
export function change(step: (world: World) => World): void {
  useStore.setState((store) => step(store))
}
