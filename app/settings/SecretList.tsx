import { KeyRound, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '../parts/Button.tsx'
import { EmptyState } from '../parts/EmptyState.tsx'
import { ErrorNote } from '../parts/ErrorNote.tsx'
import { Field } from '../parts/Field.tsx'
import { call } from '../state/engine.ts'
import { text } from '../text.ts'
import { useAsked } from './useAsked.ts'
import { useBusy } from './useBusy.ts'

const words = text.settings.secrets

export function SecretList() {
  const { answer, error, ask } = useAsked('secret.list', {})
  const { busy, during } = useBusy()
  const [name, setName] = useState('')
  const [value, setValue] = useState('')
  const add = async () => {
    const added = await during(
      () => call('secret.set', { name: name.trim(), value }),
      () => text.settings.saved,
    )
    if (!added) return
    setName('')
    setValue('')
    await ask()
  }
  const remove = async (gone: string) => {
    await during(
      () => call('secret.remove', { name: gone }),
      () => words.removed(gone),
    )
    await ask()
  }
  return (
    <>
      <p className="text-muted">{words.lead}</p>
      {error && <ErrorNote error={error} />}
      {answer?.warning && <p className="rounded-md bg-warn-tint px-3 py-2 text-sm wrap-anywhere">{answer.warning}</p>}
      {answer && answer.names.length === 0 && <EmptyState icon={KeyRound} {...words.none} />}
      {answer && answer.names.length > 0 && (
        <ul className="divide-y divide-line rounded-lg bg-surface shadow-card ring-1 ring-line">
          {answer.names.map((one) => (
            <li key={one} className="flex items-center justify-between gap-3 py-1.5 pr-2 pl-4 font-mono text-sm">
              {one}
              <IconButton icon={Trash2} label={text.settings.remove(one)} onClick={() => void remove(one)} />
            </li>
          ))}
        </ul>
      )}
      <form
        className="flex flex-wrap items-end gap-3 rounded-lg bg-surface p-4 shadow-card ring-1 ring-line"
        onSubmit={(event) => {
          event.preventDefault()
          void add()
        }}
      >
        <Field
          label={words.name}
          required
          value={name}
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
          className="w-44"
        />
        <Field
          label={words.value}
          required
          type="password"
          autoComplete="new-password"
          value={value}
          onChange={(event) => setValue(event.target.value)}
          className="w-64"
        />
        <Button type="submit" look="primary" busy={busy} disabled={!name.trim() || !value}>
          {words.add}
        </Button>
      </form>
    </>
  )
}
