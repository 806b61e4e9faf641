import { useEffect, useState } from 'react'
import type { TraceDiskUse, TraceFacets } from '../../main/contract/trace.ts'
import { call } from '../state/engine.ts'
import { useStore } from '../state/store.ts'

/** What traces can be narrowed down to, and what they take on disk; asked again whenever the list was. */
export function useFacets(asked: unknown) {
  const connectedTimes = useStore((store) => store.connectedTimes)
  const [facets, setFacets] = useState<TraceFacets>({ tags: [], apps: [] })
  const [use, setUse] = useState<TraceDiskUse | null>(null)
  // `asked`: the entries shown, which change with every answer
  useEffect(() => {
    if (connectedTimes === 0 || asked === null) return
    let current = true
    const set =
      <T>(keep: (value: T) => void) =>
      (value: T) => {
        if (current) keep(value)
      }
    call('trace.facets', {}).then(set(setFacets), () => {}) // the list itself says what is wrong
    call('trace.diskUse', {}).then(set(setUse), () => {})
    return () => {
      current = false
    }
  }, [connectedTimes, asked])
  return { facets, use }
}
