import { Crosshair, PlugZap, RefreshCw, ServerOff } from 'lucide-react'
import { useState } from 'react'
import type { Calibration } from '../../main/contract/model.ts'
import { Button } from '../parts/Button.tsx'
import { Chip } from '../parts/Chip.tsx'
import { EmptyState } from '../parts/EmptyState.tsx'
import { ErrorNote } from '../parts/ErrorNote.tsx'
import { call } from '../state/engine.ts'
import { text } from '../text.ts'
import { duration } from '../time/format.ts'
import { useAsked } from './useAsked.ts'
import { useBusy } from './useBusy.ts'

const words = text.settings.models

export function LocalServers() {
  const servers = useAsked('model.servers', {})
  const calibrations = useAsked('model.calibrations', {})
  const [looking, setLooking] = useState(false)
  const look = async () => {
    setLooking(true)
    await servers.ask()
    setLooking(false)
  }
  const offers = (servers.answer ?? []).flatMap(({ name, url, models }) =>
    models.map((model) => ({ name, url, model })),
  )
  return (
    <section aria-labelledby="local-servers" className="space-y-3">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div>
          <h3 id="local-servers" className="font-semibold">
            {words.local}
          </h3>
          <p className="text-sm text-muted">{words.localLead}</p>
        </div>
        <Button size="sm" icon={RefreshCw} busy={looking} onClick={() => void look()}>
          {words.again}
        </Button>
      </div>
      {servers.error && <ErrorNote error={servers.error} />}
      {!servers.answer && !servers.error && <p className="text-muted">{words.looking}</p>}
      {servers.answer && offers.length === 0 && <EmptyState icon={ServerOff} {...words.none} />}
      {offers.length > 0 && (
        <ul className="divide-y divide-line rounded-lg bg-surface shadow-card ring-1 ring-line">
          {offers.map((offer) => (
            <Offer
              key={`${offer.url} ${offer.model}`}
              {...offer}
              known={calibrations.answer?.find(({ model, server }) => model === offer.model && server === offer.url)}
              onCalibrated={() => void calibrations.ask()}
            />
          ))}
        </ul>
      )}
    </section>
  )
}

type OfferProps = {
  name: string
  url: string
  model: string
  known: Calibration | undefined
  onCalibrated: () => void
}

function Offer({ name, url, model, known, onCalibrated }: OfferProps) {
  const testing = useBusy()
  const calibrating = useBusy()
  const choice = { kind: 'local' as const, baseUrl: url, model }
  return (
    <li className="flex flex-wrap items-center gap-3 px-4 py-2.5">
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{model}</p>
        <p className="text-sm text-muted">
          {name} · {known ? known.verdict : words.notCalibrated}
        </p>
      </div>
      {known && (
        <Chip tone={known.blind ? 'fail' : 'pass'} icon={Crosshair}>
          {known.blind ? words.blind : words.points(known.medianPx.toFixed(0))}
        </Chip>
      )}
      <Button
        size="sm"
        icon={PlugZap}
        busy={testing.busy}
        onClick={() =>
          void testing.during(
            () => call('model.test', choice),
            ({ model: answered, tookMs }) => words.works(answered, duration(tookMs)),
          )
        }
      >
        {words.test}
      </Button>
      <Button
        size="sm"
        icon={Crosshair}
        busy={calibrating.busy}
        onClick={() =>
          void calibrating
            .during(
              () => call('model.calibrate', choice),
              ({ verdict }) => verdict,
            )
            .then(onCalibrated)
        }
      >
        {calibrating.busy ? words.calibrating : words.calibrate}
      </Button>
    </li>
  )
}
