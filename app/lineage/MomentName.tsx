import { type FormEvent, useState } from 'react'
import type { Snapshot } from '../../main/contract/machine.ts'
import { Button } from '../parts/Button.tsx'
import { call } from '../state/engine.ts'
import { toastError } from '../state/toasts.ts'
import { text } from '../text.ts'

const words = text.lineage

export function MomentName({ snapshot, onChange }: { snapshot: Snapshot; onChange: () => void }) {
  const known = snapshot.label ?? ''
  const [name, setName] = useState(known)
  const save = (event: FormEvent) => {
    event.preventDefault()
    const label = name.trim() || null
    call('snapshot.label', { snapshotId: snapshot.id, label }).then(onChange, toastError)
  }
  return (
    <form onSubmit={save} className="flex gap-2">
      <input
        aria-label={words.rename}
        value={name}
        maxLength={200}
        placeholder={words.renamePlaceholder}
        onChange={(event) => setName(event.target.value)}
        className="h-8.5 min-w-0 flex-1 rounded-md bg-raised px-3 ring-1 ring-line ring-inset placeholder:text-muted"
      />
      {name.trim() !== known && <Button type="submit">{words.save}</Button>}
    </form>
  )
}
