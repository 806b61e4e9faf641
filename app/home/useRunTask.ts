import { useState } from 'react'
import { GodHandError } from '../../main/contract/errors.ts'
import type { RunTaskInput } from '../../main/contract/task.ts'
import { navigate } from '../route/navigation.ts'
import { call } from '../state/engine.ts'
import { change } from '../state/store.ts'
import { withTask } from '../state/world.ts'

/** Starts a task and goes to it, unless the person wants to stay; what stands in its way is kept to be shown where it was started, and told to `onError`. */
export function useRunTask(onError?: (error: GodHandError) => void) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<GodHandError | null>(null)
  const run = async (input: RunTaskInput, { stay = false } = {}): Promise<boolean> => {
    setBusy(true)
    setError(null)
    try {
      const task = await call('task.run', input)
      change((world) => withTask(world, task))
      if (!stay) navigate({ screen: 'task', taskId: task.id, step: null })
      return true
    } catch (thrown) {
      const failure = GodHandError.from(thrown)
      setError(failure)
      onError?.(failure)
      return false
    } finally {
      setBusy(false)
    }
  }
  return { run, busy, error, setError }
}
