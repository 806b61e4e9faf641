import { Cpu, RefreshCw } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import type { FoundServer } from '../../main/contract/model.ts'
import { Button } from '../parts/Button.tsx'
import { Choice } from '../parts/Choice.tsx'
import { call } from '../state/engine.ts'
import { useStore } from '../state/store.ts'
import { toastError } from '../state/toasts.ts'
import { text } from '../text.ts'
import { ChoiceCard } from './ChoiceCard.tsx'

const words = text.welcome.local

export type LocalPick = { baseUrl: string; model: string }

/** The engine looks on the usual ports of this computer; what it finds is offered with its models. */
export function LocalChoice({ onChosen }: { onChosen: (pick: LocalPick) => void }) {
  const connectedTimes = useStore((store) => store.connectedTimes)
  const [servers, setServers] = useState<FoundServer[] | null>(null)
  const [chosen, setChosen] = useState('')
  const look = useCallback(async () => {
    setServers(null)
    try {
      setServers(await call('model.servers', {}))
    } catch (thrown) {
      setServers([])
      toastError(thrown)
    }
  }, [])
  useEffect(() => {
    if (connectedTimes > 0) void look()
  }, [connectedTimes, look])
  const offers = (servers ?? []).flatMap(({ name, url, models }) =>
    models.map((model) => ({ value: `${url} ${model}`, label: `${model} · ${name}`, pick: { baseUrl: url, model } })),
  )
  const offer = offers.find(({ value }) => value === chosen) ?? offers[0]
  const [first] = servers ?? []
  return (
    <ChoiceCard icon={Cpu} title={words.title} detail={words.detail}>
      {offer ? (
        <>
          <Choice label={words.model} value={offer.value} options={offers} onChange={setChosen} />
          <Button className="w-full" onClick={() => onChosen(offer.pick)}>
            {words.action}
          </Button>
        </>
      ) : (
        <>
          <p role="status" className="text-sm">
            {servers === null ? words.looking : first ? words.noModels(first.name) : words.none}
          </p>
          <Button className="w-full" icon={RefreshCw} busy={servers === null} onClick={look}>
            {words.again}
          </Button>
        </>
      )}
    </ChoiceCard>
  )
}
