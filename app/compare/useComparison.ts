import { useEffect, useState } from 'react'
import type { TraceComparison } from '../../main/contract/compare-traces.ts'
import { GodHandError } from '../../main/contract/errors.ts'
import { call } from '../state/engine.ts'
import { useStore } from '../state/store.ts'

/** Asked again when either of the two ends, and with each connection. */
export function useComparison(a: string, b: string) {
  const connectedTimes = useStore((store) => store.connectedTimes)
  const states = useStore(({ tasks }) => [a, b].map((id) => tasks[id]?.state ?? '').join())
  const [found, setFound] = useState<TraceComparison | null>(null)
  const [error, setError] = useState<GodHandError | null>(null)
  // `states`: what was compared while one of them ran is old once it is over
  useEffect(() => {
    if (connectedTimes === 0 || states === '') return
    let current = true
    call('trace.compare', { a, b }).then(
      (compared) => {
        if (!current) return
        setFound(compared)
        setError(null)
      },
      (thrown) => {
        const failure = GodHandError.from(thrown)
        if (current && failure.code !== 'engine_unreachable') setError(failure)
      },
    )
    return () => {
      current = false
    }
  }, [a, b, connectedTimes, states])
  const isCurrent = found?.a.task.id === a && found.b.task.id === b
  return { compared: isCurrent ? found : null, error }
}
