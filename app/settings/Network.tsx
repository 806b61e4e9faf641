import { useEffect, useState } from 'react'
import { sitesOf } from '../home/draft.ts'
import { Button } from '../parts/Button.tsx'
import { ErrorNote } from '../parts/ErrorNote.tsx'
import { text } from '../text.ts'
import { useSettings } from './useSettings.ts'

const words = text.settings.network

export function Network() {
  const { inForce, error, busy, save } = useSettings()
  const [sites, setSites] = useState('')
  useEffect(() => {
    if (inForce) setSites(inForce.settings.allow.join('\n'))
  }, [inForce])
  return (
    <>
      <p className="text-muted">{words.lead}</p>
      {error && <ErrorNote error={error} />}
      <form
        className="space-y-3 rounded-lg bg-surface p-4 shadow-card ring-1 ring-line"
        onSubmit={(event) => {
          event.preventDefault()
          void save({ allow: sitesOf(sites) })
        }}
      >
        <label className="grid gap-1 text-xs text-muted">
          {words.allow}
          <textarea
            rows={5}
            value={sites}
            placeholder={words.placeholder}
            spellCheck={false}
            onChange={(event) => setSites(event.target.value)}
            className="rounded-md bg-raised px-2.5 py-2 font-mono text-sm text-ink ring-1 ring-line ring-inset"
          />
          {words.hint}
        </label>
        <Button type="submit" look="primary" busy={busy} disabled={!inForce}>
          {text.settings.save}
        </Button>
      </form>
    </>
  )
}
