import { RefreshCw } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { GodHandError } from '../../main/contract/errors.ts'
import type { DoctorCheck } from '../../main/contract/rpc.ts'
import { Button } from '../parts/Button.tsx'
import { ErrorNote } from '../parts/ErrorNote.tsx'
import { Page } from '../parts/Page.tsx'
import { call } from '../state/engine.ts'
import { useStore } from '../state/store.ts'
import { text } from '../text.ts'
import { CheckRow } from './CheckRow.tsx'
import { EngineFacts } from './EngineFacts.tsx'
import { LogView } from './LogView.tsx'
import { SupportAndReset } from './SupportAndReset.tsx'

const words = text.doctor

export function Doctor() {
  const connectedTimes = useStore((store) => store.connectedTimes)
  const connected = useStore((store) => store.connection === 'open')
  const [checks, setChecks] = useState<DoctorCheck[] | null>(null)
  const [error, setError] = useState<GodHandError | null>(null)
  const [busy, setBusy] = useState(false)
  const check = useCallback(async () => {
    setBusy(true)
    try {
      setChecks(await call('engine.doctor', {}))
      setError(null)
    } catch (thrown) {
      setError(GodHandError.from(thrown))
    } finally {
      setBusy(false)
    }
  }, [])
  useEffect(() => {
    if (connectedTimes > 0) void check()
  }, [connectedTimes, check])
  const button = (
    <Button icon={RefreshCw} busy={busy} disabled={!connected} onClick={check}>
      {words.again}
    </Button>
  )
  return (
    <Page title={words.title} lead={words.lead} actions={button}>
      {error && <ErrorNote error={error} />}
      {checks ? (
        <ul className="divide-y divide-line overflow-hidden rounded-lg bg-surface shadow-card ring-1 ring-line">
          {checks.map((one) => (
            <CheckRow key={one.name} check={one} onFixed={() => void check()} />
          ))}
        </ul>
      ) : (
        !error && <p className="text-muted">{text.common.loading}</p>
      )}
      <EngineFacts />
      <LogView />
      <SupportAndReset />
    </Page>
  )
}
