import { useCallback, useEffect, useState } from 'react'
import { GodHandError } from '../../main/contract/errors.ts'
import type { GuestFolder } from '../../main/contract/guest-files.ts'
import { call } from '../state/engine.ts'
import { useStore } from '../state/store.ts'

/** What lies in a folder of the guest; the last one seen stays while the next is fetched. */
export function useFolder(machineId: string, path: string) {
  const connectedTimes = useStore((store) => store.connectedTimes)
  const [asked, setAsked] = useState(0)
  const [busy, setBusy] = useState(true)
  const [folder, setFolder] = useState<GuestFolder | null>(null)
  const [error, setError] = useState<GodHandError | null>(null)
  useEffect(() => {
    if (connectedTimes === 0) return
    let current = true
    setBusy(true)
    const seen = (found: GuestFolder | null, failure: GodHandError | null) => {
      if (!current) return
      setFolder(found)
      setError(failure)
      setBusy(false)
    }
    call('vm.files', { machineId, path }).then(
      (found) => seen(found, null),
      (thrown) => seen(null, GodHandError.from(thrown)),
    )
    return () => {
      current = false
    }
  }, [machineId, path, connectedTimes, asked])
  return { folder, error, busy, refresh: useCallback(() => setAsked((times) => times + 1), []) }
}
