import { useEffect, useState } from 'react'
import type { Progress } from '../../main/contract/progress.ts'
import { useNow } from '../time/useNow.ts'
import { type Sample, timeLeft, withSample } from './time-left.ts'

/** Milliseconds to go, by what was seen of the work so far. */
export function useTimeLeft({ done, total }: Progress): number | null {
  const [samples, setSamples] = useState<readonly Sample[]>([])
  const now = useNow(1000)
  useEffect(() => {
    if (total > 0) setSamples((known) => withSample(known, { at: Date.now(), share: done / total }))
  }, [done, total])
  return total > 0 ? timeLeft(samples, now) : null
}
