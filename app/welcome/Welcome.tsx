import { Play, ShieldCheck } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Draft, emptyDraft } from '../home/draft.ts'
import { ReadinessLine } from '../home/ReadinessLine.tsx'
import { useRunTask } from '../home/useRunTask.ts'
import { Button } from '../parts/Button.tsx'
import { Logo } from '../parts/Logo.tsx'
import { useTitle } from '../parts/useTitle.ts'
import { navigate } from '../route/navigation.ts'
import { keep, readKept } from '../state/kept.ts'
import { useStore } from '../state/store.ts'
import { toastError } from '../state/toasts.ts'
import { text } from '../text.ts'
import { ChoiceCard } from './ChoiceCard.tsx'
import { ClaudeChoice } from './ClaudeChoice.tsx'
import { LocalChoice } from './LocalChoice.tsx'
import { MissingPiece } from './MissingPiece.tsx'
import { Preparing } from './Preparing.tsx'
import { welcomed } from './welcomed.ts'

const words = text.welcome

/** One page: what this is, who should think, and then the machine and the demo. */
export function Welcome() {
  useTitle(words.title)
  const readiness = useStore((store) => store.readiness)
  const [chosen, setChosen] = useState(false)
  useEffect(welcomed, []) // seen once is enough: whoever leaves by the side is not brought back
  const choose = (part: Partial<Draft>) => {
    keep('draft', { ...readKept('draft', Draft, emptyDraft), ...part })
    setChosen(true)
  }
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto flex min-h-full max-w-240 flex-col justify-center gap-7 px-6 py-10 max-md:px-4">
        <header className="flex items-start gap-5">
          <Logo size={52} />
          <div>
            <h1 className="text-[2rem] leading-10 font-semibold tracking-[-0.022em]">{words.title}</h1>
            <p className="mt-1.5 max-w-170 text-lg text-muted">{words.lead}</p>
          </div>
        </header>
        {readiness?.kind === 'broken' ? (
          <MissingPiece error={readiness.error} />
        ) : chosen ? (
          <TheDemo />
        ) : (
          <>
            <section aria-labelledby="who" className="space-y-3">
              <div className="flex flex-wrap items-baseline justify-between gap-x-4">
                <h2 id="who" className="text-xl font-semibold tracking-tight">
                  {words.choose}
                </h2>
                <p className="text-sm text-muted">{words.later}</p>
              </div>
              <div className="grid grid-cols-3 gap-4 max-md:grid-cols-1">
                <ChoiceCard icon={Play} title={words.demo.title} detail={words.demo.detail}>
                  <Button look="primary" icon={Play} className="w-full" onClick={() => choose({})}>
                    {words.demo.action}
                  </Button>
                </ChoiceCard>
                <ClaudeChoice onChosen={() => choose({ planner: 'anthropic' })} />
                <LocalChoice
                  onChosen={({ baseUrl, model }) =>
                    choose({ planner: 'local', localAddress: baseUrl, localModel: model })
                  }
                />
              </div>
            </section>
            <ReadinessLine />
          </>
        )}
        <p className="flex gap-3 text-sm text-muted">
          <ShieldCheck size={17} aria-hidden="true" className="mt-0.5 shrink-0 text-pass" />
          <span className="max-w-180">{words.privacy}</span>
        </p>
      </div>
    </div>
  )
}

/** The machine is made ready in plain sight; then the demo plays by itself. */
function TheDemo() {
  const readiness = useStore((store) => store.readiness)
  const { run } = useRunTask(toastError)
  const begun = useRef(false)
  const ready = readiness?.kind === 'ready'
  useEffect(() => {
    if (!ready || begun.current) return
    begun.current = true
    void run({ goal: text.home.demo.goal, planner: { kind: 'demo' }, keepMachine: true })
  }, [ready, run])
  return (
    <section aria-labelledby="preparing" className="space-y-4 rounded-lg bg-surface p-6 shadow-lift ring-1 ring-line">
      <div>
        <h2 id="preparing" className="text-xl font-semibold tracking-tight">
          {words.preparing.title}
        </h2>
        <p className="mt-0.5 text-muted">{words.preparing.detail}</p>
      </div>
      {readiness?.kind === 'preparing' ? (
        <Preparing progress={readiness.progress} />
      ) : (
        <p role="status">{ready ? words.preparing.ready : text.readiness.asking}</p>
      )}
      <Button look="quiet" onClick={() => navigate({ screen: 'home' })}>
        {words.preparing.skip}
      </Button>
    </section>
  )
}
