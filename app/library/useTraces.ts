import { useCallback, useEffect, useRef, useState } from 'react'
import { GodHandError } from '../../main/contract/errors.ts'
import type { TraceEntry } from '../../main/contract/trace.ts'
import { call } from '../state/engine.ts'
import { useStore } from '../state/store.ts'
import { type Filters, queryOf } from './filters.ts'

const typingMs = 180

/** The traces that fit, page by page. A slower answer to an older question never overwrites a newer one. */
export function useTraces(filters: Filters) {
  const connectedTimes = useStore((store) => store.connectedTimes)
  const ended = useStore(({ tasks }) => Object.values(tasks).filter(({ endedAt }) => endedAt !== null).length)
  const [entries, setEntries] = useState<readonly TraceEntry[] | null>(null)
  const [next, setNext] = useState<string | null>(null)
  const [error, setError] = useState<GodHandError | null>(null)
  const asked = useRef(0)

  const fetchPage = useCallback(
    async (after: string | null) => {
      const mine = ++asked.current
      try {
        const page = await call('trace.search', { ...queryOf(filters, Date.now()), ...(after ? { after } : {}) })
        if (mine !== asked.current) return
        setEntries((known) => (after ? [...(known ?? []), ...page.entries] : page.entries))
        setNext(page.next)
        setError(null)
      } catch (thrown) {
        const failure = GodHandError.from(thrown)
        if (mine === asked.current && failure.code !== 'engine_unreachable') setError(failure)
      }
    },
    [filters],
  )
  // `ended`: a task that just finished belongs to the library
  useEffect(() => {
    if (connectedTimes === 0 || ended < 0) return
    const timer = setTimeout(() => void fetchPage(null), filters.words ? typingMs : 0)
    return () => clearTimeout(timer)
  }, [connectedTimes, ended, fetchPage, filters.words])
  return { entries, next, error, more: () => fetchPage(next), refresh: () => fetchPage(null) }
}
