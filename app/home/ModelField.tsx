import { useEffect, useId, useState } from 'react'
import { z } from 'zod'
import type { ModelService } from '../../main/contract/model.ts'
import { Field } from '../parts/Field.tsx'
import { call } from '../state/engine.ts'
import { useStore } from '../state/store.ts'
import { text } from '../text.ts'

type Props = {
  kind: ModelService['kind']
  address?: string // of a local server
  value: string
  placeholder: string
  required?: boolean
  onChange: (model: string) => void
}

/** A model by name. What its service offers is suggested; where nothing answers, any name can still be typed. */
export function ModelField({ kind, address, value, placeholder, required = false, onChange }: Props) {
  const listId = useId()
  const connected = useStore((store) => store.connection === 'open')
  const [offered, setOffered] = useState<string[]>([])
  useEffect(() => {
    const service = serviceOf(kind, address)
    if (!connected || !service) return setOffered([])
    let stale = false
    const show = (names: string[]) => {
      if (!stale) setOffered(names)
    }
    call('model.list', service).then(
      (models) => show(models.map(({ id }) => id)),
      () => show([]), // no key or no server: the task says so when it is run
    )
    return () => {
      stale = true
    }
  }, [kind, address, connected])
  return (
    <>
      <Field
        label={text.home.model}
        required={required}
        list={listId}
        value={value}
        placeholder={placeholder}
        onChange={(event) => onChange(event.target.value)}
        className="w-56"
      />
      <datalist id={listId}>
        {offered.map((id) => (
          <option key={id} value={id} />
        ))}
      </datalist>
    </>
  )
}

function serviceOf(kind: Props['kind'], address = ''): ModelService | null {
  if (kind !== 'local') return { kind }
  const url = z.url().safeParse(address.trim())
  return url.success ? { kind, baseUrl: url.data } : null
}
