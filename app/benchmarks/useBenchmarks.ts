import { useEffect, useMemo, useState } from 'react'
import type { Output } from '../../main/contract/rpc.ts'
import { call } from '../state/engine.ts'
import { useStore } from '../state/store.ts'
import { toastError } from '../state/toasts.ts'

type Listed = Output<'bench.list'>

/** Every round there is, the newest first: those listed, and what was heard since. Null until the engine has answered. */
export function useBenchmarks() {
  const [listed, setListed] = useState<Listed | null>(null)
  const heard = useStore((store) => store.benchmarks)
  const connectedTimes = useStore((store) => store.connectedTimes)
  useEffect(() => {
    if (connectedTimes === 0) return
    call('bench.list', {}).then(setListed, toastError)
  }, [connectedTimes])
  const runs = useMemo(() => {
    const byId = new Map([...(listed?.runs ?? []), ...Object.values(heard)].map((run) => [run.id, run]))
    return [...byId.values()]
      .filter(({ state }) => state.kind !== 'cancelled')
      .sort((a, b) => b.startedAt.localeCompare(a.startedAt))
  }, [listed, heard])
  const forget = (runId: string) =>
    setListed((old) => old && { ...old, runs: old.runs.filter(({ id }) => id !== runId) })
  return listed && { available: listed.available, runs, forget }
}
