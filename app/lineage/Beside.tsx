import type { Snapshot } from '../../main/contract/machine.ts'
import type { SnapshotUse } from '../../main/contract/snapshots.ts'
import { navigate } from '../route/navigation.ts'
import { useStore } from '../state/store.ts'
import { timeTravelText } from '../text/time-travel.ts'
import { ComparePanel, type Side } from './ComparePanel.tsx'
import { MomentPanel, NoMoment } from './MomentPanel.tsx'
import { wayId } from './tree.ts'
import { WayPanel } from './WayPanel.tsx'

type Props = {
  taskId: string | null
  snapshotId: string | null
  against: string | undefined
  shown: readonly Snapshot[]
  titleOf: (id: string) => string
  uses: ReadonlyMap<string, SnapshotUse>
  picking: boolean
  onPick: (picking: boolean) => void
  onChoose: (id: string | null) => void
  onChange: () => void
}

/** Compared with this, a moment is held against the desktop as it was when fresh. */
const fresh = 'fresh'

/** Beside the tree: the chosen moment, two of them compared, or a way that was cut off. */
export function Beside(props: Props) {
  const { taskId, snapshotId, against, shown, titleOf, uses, picking, onPick, onChoose, onChange } = props
  const branch = useStore((store) =>
    Object.values(store.branches)
      .flat()
      .find(({ id }) => wayId(id) === snapshotId),
  )
  if (branch) return <WayPanel branch={branch} />
  const chosen = shown.find(({ id }) => id === snapshotId)
  if (!chosen) return <NoMoment gone={snapshotId !== null} />
  const other = shown.find(({ id }) => id === against)
  if (other || against === fresh) {
    const [from, to] = inOrder(other, chosen)
    return (
      <ComparePanel
        from={sideOf(from, titleOf)}
        to={{ snapshot: to, title: titleOf(to.id) }}
        onClose={() => onChoose(chosen.id)}
      />
    )
  }
  return (
    <MomentPanel
      snapshot={chosen}
      title={titleOf(chosen.id)}
      use={uses.get(chosen.id)}
      picking={picking}
      onPick={onPick}
      onChange={onChange}
      onCompareBack={() =>
        navigate({ screen: 'time', taskId, snapshotId, against: chosen.parentId ?? fresh }, { replace: true })
      }
      onGone={() => {
        onChoose(chosen.parentId)
        onChange()
      }}
    />
  )
}

function inOrder(a: Snapshot | undefined, b: Snapshot): [Snapshot | null, Snapshot] {
  if (!a) return [null, b]
  return a.createdAt <= b.createdAt ? [a, b] : [b, a]
}

const sideOf = (snapshot: Snapshot | null, titleOf: Props['titleOf']): Side => ({
  snapshot,
  title: snapshot ? titleOf(snapshot.id) : timeTravelText.compare.origin,
})
