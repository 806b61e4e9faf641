import { Monitor, Plus } from 'lucide-react'
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { Snapshot } from '../../main/contract/machine.ts'
import { Button } from '../parts/Button.tsx'
import { EmptyState } from '../parts/EmptyState.tsx'
import { Page } from '../parts/Page.tsx'
import { call } from '../state/engine.ts'
import { useStore } from '../state/store.ts'
import { liveMachines } from '../state/world.ts'
import { text } from '../text.ts'
import { useNow } from '../time/useNow.ts'
import { Abilities } from './Abilities.tsx'
import { Images } from './Images.tsx'
import { MachineCard } from './MachineCard.tsx'
import { SnapshotList } from './SnapshotList.tsx'
import { useMachineCommands } from './useMachineCommands.ts'
import { useMachineUse } from './useMachineUse.ts'

const words = text.machines

export function Machines() {
  const machines = useStore((store) => store.machines)
  const live = useMemo(() => liveMachines(machines), [machines])
  const known = useStore((store) => store.info !== null)
  const { snapshots, refresh } = useSnapshots()
  const { create, busy, connected } = useMachineCommands()
  const now = useNow(10_000)
  const use = useMachineUse(live.length, now)
  const imagesInUse = useMemo(() => new Set([...live, ...snapshots].map(({ image }) => image)), [live, snapshots])
  const button = (
    <Button look="primary" icon={Plus} busy={busy === 'create'} disabled={!connected} onClick={create}>
      {words.create}
    </Button>
  )
  return (
    <Page title={words.title} lead={words.lead} actions={button}>
      {!known ? (
        <p className="text-muted">{text.common.loading}</p>
      ) : live.length === 0 ? (
        <EmptyState icon={Monitor} {...words.none} />
      ) : (
        <ul className="grid gap-3">
          {live.map((machine) => (
            <MachineCard key={machine.id} machine={machine} use={use[machine.id]} now={now} onSnapshot={refresh} />
          ))}
        </ul>
      )}
      <Images now={now} inUse={imagesInUse} />
      <Abilities />
      {snapshots.length > 0 && <SnapshotList snapshots={snapshots} now={now} onChange={refresh} />}
    </Page>
  )
}

function useSnapshots() {
  const connectedTimes = useStore((store) => store.connectedTimes)
  const [snapshots, setSnapshots] = useState<Snapshot[]>([])
  const refresh = useCallback(() => {
    call('snapshot.list', {}).then(
      (list) => setSnapshots(list.sort((a, b) => b.createdAt.localeCompare(a.createdAt))),
      () => {}, // the banner says when the engine is away; the list is fetched again when it is back
    )
  }, [])
  useEffect(() => {
    if (connectedTimes > 0) refresh()
  }, [connectedTimes, refresh])
  return { snapshots, refresh }
}
