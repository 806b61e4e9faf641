import { useCallback, useEffect, useState } from 'react'
import { GodHandError } from '../../main/contract/errors.ts'
import type { Snapshot } from '../../main/contract/machine.ts'
import type { SnapshotUse } from '../../main/contract/snapshots.ts'
import { call } from '../state/engine.ts'
import { useStore } from '../state/store.ts'
import type { World } from '../state/world.ts'

export type Lineage = {
  snapshots: readonly Snapshot[] | null // null until the engine has answered
  uses: ReadonlyMap<string, SnapshotUse>
  budgetBytes: number
  error: GodHandError | null
  refresh: () => void
}

/** Moments come with steps and with machines: when either moved, there may be new ones. */
const pulse = ({ tasks, machines }: Pick<World, 'tasks' | 'machines'>): string =>
  [
    ...Object.values(tasks).map(({ id, stepCount, state }) => `${id}${stepCount}${state}`),
    ...Object.values(machines).map(({ id, state, parentSnapshot }) => `${id}${state.kind}${parentSnapshot}`),
  ].join()

/** A task in full swing makes several moments a second; the picture need not jump with each. */
const calmMs = 400

export function useLineage(): Lineage {
  const connectedTimes = useStore((store) => store.connectedTimes)
  const beat = useStore(pulse)
  const [asked, setAsked] = useState(0)
  const [lineage, setLineage] = useState<Omit<Lineage, 'refresh'>>({
    snapshots: null,
    uses: new Map(),
    budgetBytes: 0,
    error: null,
  })
  const refresh = useCallback(() => setAsked((times) => times + 1), [])
  useEffect(() => {
    if (connectedTimes === 0) return
    let current = true
    const timer = setTimeout(
      async () => {
        try {
          const [snapshots, usage] = await Promise.all([call('snapshot.list', {}), call('snapshot.usage', {})])
          const uses = new Map(usage.snapshots.map((use) => [use.snapshot.id, use]))
          if (current) setLineage({ snapshots, uses, budgetBytes: usage.budgetBytes, error: null })
        } catch (thrown) {
          const error = GodHandError.from(thrown)
          if (current && error.code !== 'engine_unreachable') setLineage((old) => ({ ...old, error }))
        }
      },
      lineage.snapshots === null || asked > 0 ? 0 : calmMs,
    )
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [connectedTimes, beat, asked])
  return { ...lineage, refresh }
}
