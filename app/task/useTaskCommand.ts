import { useState } from 'react'
import type { Task } from '../../main/contract/task.ts'
import { change, useStore } from '../state/store.ts'
import { toastError } from '../state/toasts.ts'
import { withTask } from '../state/world.ts'

/** Asks something of a running task, one thing at a time; what stands in its way is said in a toast. */
export function useTaskCommand() {
  const [busy, setBusy] = useState(false)
  const connected = useStore((store) => store.connection === 'open')
  const send = async (ask: () => Promise<Task>): Promise<boolean> => {
    setBusy(true)
    try {
      const task = await ask()
      change((world) => withTask(world, task))
      return true
    } catch (thrown) {
      toastError(thrown)
      return false
    } finally {
      setBusy(false)
    }
  }
  return { send, busy, connected }
}
