import { useEffect, useState } from 'react'
import type { Output } from '../../main/contract/rpc.ts'
import { Button } from '../parts/Button.tsx'
import { Confirm } from '../parts/Confirm.tsx'
import { call } from '../state/engine.ts'
import { toast, toastError } from '../state/toasts.ts'
import { text } from '../text.ts'
import { bytes } from '../time/format.ts'

const words = text.machines.budget

/** What the snapshots take of what they may. Over it, only the person can say whether what they have named may go. */
export function SnapshotBudget({ snapshots, onRemoved }: { snapshots: number; onRemoved: () => void }) {
  const [use, setUse] = useState<Output<'snapshot.usage'> | null>(null)
  const [asking, setAsking] = useState(false)
  // Another number of snapshots takes another size
  useEffect(() => {
    call('snapshot.usage', {}).then(setUse, () => {}) // the list is complete without it
  }, [snapshots])
  if (!use) return null
  const used = use.snapshots.reduce((sum, { ownBytes }) => sum + ownBytes, 0)
  const named = use.snapshots.filter(({ snapshot }) => snapshot.label !== null && !snapshot.pinned).length
  const over = used > use.budgetBytes && named > 0
  const removeNamed = () =>
    call('snapshot.collect', { includeNamed: true }).then(({ removed, beforeBytes, afterBytes }) => {
      toast(words.removed(removed.length, bytes(beforeBytes - afterBytes)))
      onRemoved()
    }, toastError)
  return (
    <p className="flex flex-wrap items-center gap-3 text-sm text-muted">
      {words.used(bytes(used), bytes(use.budgetBytes))}
      {over && (
        <Button size="sm" look="danger" onClick={() => setAsking(true)}>
          {words.ask}
        </Button>
      )}
      {asking && (
        <Confirm
          title={words.title}
          detail={words.detail(named)}
          action={words.ask}
          onConfirm={() => void removeNamed()}
          onClose={() => setAsking(false)}
        />
      )}
    </p>
  )
}
