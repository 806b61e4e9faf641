import { useEffect, useState } from 'react'
import { GodHandError } from '../../main/contract/errors.ts'
import type { Step, Task } from '../../main/contract/task.ts'
import { call } from '../state/engine.ts'
import { change, useStore } from '../state/store.ts'
import { withTaskDetail } from '../state/world.ts'
import { firstWindow, furtherWindows, type StepWindow } from './step-windows.ts'

const noSteps: readonly Step[] = []

type Detail = { task: Task | undefined; steps: readonly Step[]; fetched: boolean; error: GodHandError | null }

/** A task with all its steps: fetched once per connection, kept up to date by events. */
export function useTaskDetail(taskId: string): Detail {
  const task = useStore((store) => store.tasks[taskId])
  const steps = useStore((store) => store.steps[taskId]) ?? noSteps
  const connectedTimes = useStore((store) => store.connectedTimes)
  const [fetched, setFetched] = useState(false)
  const [error, setError] = useState<GodHandError | null>(null)
  useEffect(() => {
    if (connectedTimes === 0) return
    let current = true
    const fetchPart = async (part: StepWindow) => {
      const detail = await call('task.get', { taskId, ...part })
      change((world) => withTaskDetail(world, detail))
      return detail.task.stepCount
    }
    const fetchAll = async () => {
      const count = await fetchPart(firstWindow)
      if (!current) return
      setError(null)
      setFetched(true)
      for (const part of furtherWindows(count)) if (current) await fetchPart(part)
    }
    fetchAll().catch((thrown: unknown) => {
      const failure = GodHandError.from(thrown)
      // A lost connection has its own banner, and this runs again when it is back.
      if (current && failure.code !== 'engine_unreachable') setError(failure)
    })
    return () => {
      current = false
    }
  }, [taskId, connectedTimes])
  return { task, steps, fetched, error }
}
