import { Sparkles } from 'lucide-react'
import { type FormEvent, useEffect, useState } from 'react'
import { GodHandError } from '../../main/contract/errors.ts'
import { Button } from '../parts/Button.tsx'
import { ErrorNote } from '../parts/ErrorNote.tsx'
import { Field } from '../parts/Field.tsx'
import { call } from '../state/engine.ts'
import { useStore } from '../state/store.ts'
import { text } from '../text.ts'
import { ChoiceCard } from './ChoiceCard.tsx'

const words = text.welcome.claude

/** A key is tried before it is relied upon; one that Claude refuses is said here, not in the middle of a task. */
export function ClaudeChoice({ onChosen }: { onChosen: () => void }) {
  const connectedTimes = useStore((store) => store.connectedTimes)
  const [known, setKnown] = useState(false)
  const [key, setKey] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<GodHandError | null>(null)
  useEffect(() => {
    if (connectedTimes === 0) return
    call('key.list', {}).then(
      ({ names }) => setKnown(names.includes('anthropic')),
      () => {},
    )
  }, [connectedTimes])
  const use = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setError(null)
    try {
      if (key.trim()) await call('key.set', { name: 'anthropic', value: key.trim() })
      await call('model.test', { kind: 'anthropic' })
      onChosen()
    } catch (thrown) {
      setError(GodHandError.from(thrown))
    } finally {
      setBusy(false)
    }
  }
  return (
    <ChoiceCard icon={Sparkles} title={words.title} detail={words.detail}>
      <form onSubmit={use} className="space-y-2.5">
        <Field
          label={words.key}
          type="password"
          autoComplete="off"
          spellCheck={false}
          value={key}
          placeholder={known ? words.known : words.placeholder}
          onChange={(event) => setKey(event.target.value)}
          className="w-full"
        />
        {error && <ErrorNote error={error} />}
        <Button type="submit" busy={busy} disabled={!known && !key.trim()} className="w-full">
          {busy ? words.testing : words.action}
        </Button>
      </form>
    </ChoiceCard>
  )
}
