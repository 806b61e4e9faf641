import { KeyRound, Unplug } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '../parts/Button.tsx'
import { Prose } from '../parts/Prose.tsx'
import { retryConnection } from '../state/engine.ts'
import { useStore } from '../state/store.ts'
import { text } from '../text.ts'

/** A connection that comes back within a blink is nobody's business. */
const patienceMs = 600
/** The page is there before the engine has opened its store. */
const firstPatienceMs = 4000

export function ConnectionBanner() {
  const connection = useStore((store) => store.connection)
  const connected = connection === 'open'
  const patience = useStore((store) => (store.connectedTimes === 0 ? firstPatienceMs : patienceMs))
  const [shown, setShown] = useState(false)
  // Between two tries the state passes through `connecting`; the words should not flicker with it.
  const [refused, setRefused] = useState(false)
  useEffect(() => {
    if (connection === 'unauthorised') setRefused(true)
    if (connection === 'open' || connection === 'closed') setRefused(false)
  }, [connection])
  useEffect(() => {
    if (connected) return setShown(false)
    const timer = setTimeout(() => setShown(true), patience)
    return () => clearTimeout(timer)
  }, [connected, patience])
  const Icon = refused ? KeyRound : Unplug
  return (
    <div role="status">
      {shown && (
        <div className="arrive flex items-center gap-3 border-b border-line bg-warn-tint px-5 py-2 text-sm text-ink">
          <Icon size={16} aria-hidden="true" className="shrink-0 text-warn" />
          <p className="min-w-0 flex-1">
            <Prose>{refused ? text.connection.unauthorised : text.connection.lost}</Prose>
          </p>
          <Button size="sm" onClick={retryConnection}>
            {text.connection.retry}
          </Button>
        </div>
      )}
    </div>
  )
}
