import { CircleCheck, PlugZap, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { GodHandError } from '../../main/contract/errors.ts'
import type { ModelTest } from '../../main/contract/model.ts'
import { Button, IconButton } from '../parts/Button.tsx'
import { ErrorNote } from '../parts/ErrorNote.tsx'
import { Field } from '../parts/Field.tsx'
import { call } from '../state/engine.ts'
import { text } from '../text.ts'
import { duration } from '../time/format.ts'
import { Card } from './Card.tsx'
import { useAsked } from './useAsked.ts'
import { useBusy } from './useBusy.ts'

const words = text.settings.models

/** The key of one service: kept, tried, removed. It never comes back to be read. */
export function ServiceKey({ service }: { service: 'anthropic' | 'openai' }) {
  const { answer, ask } = useAsked('key.list', {})
  const { busy, during } = useBusy()
  const [key, setKey] = useState('')
  const [model, setModel] = useState('')
  const [testing, setTesting] = useState(false)
  const [tested, setTested] = useState<ModelTest | GodHandError | null>(null)
  const kept = answer?.names.includes(service) ?? false
  const save = async () => {
    const saved = await during(
      () => call('key.set', { name: service, value: key.trim() }),
      () => text.settings.saved,
    )
    if (saved) setKey('')
    setTested(null)
    await ask()
  }
  const remove = async () => {
    await during(() => call('key.remove', { name: service }))
    setTested(null)
    await ask()
  }
  const test = async () => {
    setTesting(true)
    setTested(null)
    const choice = { kind: service, ...(model.trim() ? { model: model.trim() } : {}) }
    await call('model.test', choice).then(setTested, (thrown: unknown) => setTested(GodHandError.from(thrown)))
    setTesting(false)
  }
  return (
    <Card title={words.services[service]} detail={kept ? words.keyKept : words.keyMissing}>
      <form
        className="flex flex-wrap items-end gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <Field
          label={words.key}
          type="password"
          autoComplete="off"
          value={key}
          placeholder={kept ? words.replace : ''}
          onChange={(event) => setKey(event.target.value)}
          className="w-64"
        />
        <Button type="submit" busy={busy} disabled={!key.trim()}>
          {text.settings.save}
        </Button>
        {kept && (
          <IconButton
            icon={Trash2}
            label={text.settings.remove(`${words.services[service]}: ${words.key}`)}
            onClick={() => void remove()}
          />
        )}
        <span className="flex-1" />
        <Field
          label={words.model}
          value={model}
          placeholder={words.usual}
          onChange={(event) => setModel(event.target.value)}
          className="w-44"
        />
        <Button icon={PlugZap} busy={testing} disabled={!kept} onClick={() => void test()}>
          {words.test}
        </Button>
      </form>
      {tested instanceof GodHandError ? (
        <ErrorNote error={tested} />
      ) : (
        tested && (
          <p role="status" className="flex items-center gap-2 text-sm">
            <CircleCheck size={15} aria-hidden="true" className="text-pass" />
            {words.works(tested.model, duration(tested.tookMs))}
          </p>
        )
      )}
    </Card>
  )
}
