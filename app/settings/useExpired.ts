import { useEffect, useState } from 'react'
import { GodHandError } from '../../main/contract/errors.ts'
import type { Expired, RetentionPolicyInput } from '../../main/contract/trace.ts'
import { call } from '../state/engine.ts'
import { useStore } from '../state/store.ts'

const typingMs = 250

/** What a policy that is being typed would remove now. */
export function useExpired(policy: RetentionPolicyInput | null) {
  const connectedTimes = useStore((store) => store.connectedTimes)
  const [expired, setExpired] = useState<readonly Expired[]>([])
  const [error, setError] = useState<GodHandError | null>(null)
  const [working, setWorking] = useState(false)
  const [times, setTimes] = useState(0)
  const wish = policy && JSON.stringify(policy)
  // `times`: something has gone since it was last looked
  useEffect(() => {
    setError(null)
    setWorking(wish !== null)
    if (wish === null || connectedTimes === 0 || times < 0) return setExpired([])
    let current = true
    const timer = setTimeout(async () => {
      try {
        const found = await call('retention.preview', { policy: JSON.parse(wish) })
        if (current) setExpired(found)
      } catch (thrown) {
        if (!current) return
        setExpired([])
        setError(GodHandError.from(thrown))
      } finally {
        if (current) setWorking(false)
      }
    }, typingMs)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [wish, connectedTimes, times])
  return { expired, error, working, lookAgain: () => setTimes((old) => old + 1) }
}
