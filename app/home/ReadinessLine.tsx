import { CircleCheck } from 'lucide-react'
import type { Readiness } from '../../main/contract/rpc.ts'
import { ErrorNote } from '../parts/ErrorNote.tsx'
import { ProgressBar } from '../parts/ProgressBar.tsx'
import { Link } from '../route/Link.tsx'
import { useStore } from '../state/store.ts'
import { text } from '../text.ts'

const words = text.readiness

export function ReadinessLine() {
  const readiness = useStore((store) => store.readiness)
  return (
    <section aria-label={words.label} className="px-1">
      {readiness ? <Told readiness={readiness} /> : <p className="text-sm text-muted">{words.asking}</p>}
    </section>
  )
}

function Told({ readiness }: { readiness: Readiness }) {
  switch (readiness.kind) {
    case 'ready':
      return (
        <p className="flex items-center gap-2 text-sm">
          <CircleCheck size={15} aria-hidden="true" className="shrink-0 text-pass" />
          <span>
            {words.ready}{' '}
            <span className="text-muted">{words.readyDetail(readiness.image, readiness.accelerator)}</span>
          </span>
        </p>
      )
    case 'preparing': {
      const { step, detail, done, total } = readiness.progress
      return (
        <div className="space-y-2 rounded-lg bg-surface p-4 shadow-card ring-1 ring-line">
          <h2 className="font-semibold">{words.preparing}</h2>
          <ProgressBar progress={readiness.progress} label={words.preparing} />
          <p className="flex justify-between gap-3 text-sm">
            <span className="min-w-0 truncate">
              {step}
              {detail && <span className="text-muted"> · {detail}</span>}
            </span>
            {total > 0 && <span className="shrink-0 text-muted tabular-nums">{words.percent(done / total)}</span>}
          </p>
          <p className="text-sm text-muted">{words.preparingDetail}</p>
        </div>
      )
    }
    case 'broken':
      return (
        <div className="space-y-2.5 rounded-lg bg-surface p-4 shadow-card ring-1 ring-line">
          <h2 className="font-semibold">{words.broken}</h2>
          <ErrorNote error={readiness.error} />
          <Link to={{ screen: 'doctor' }} className="text-sm text-lapis underline underline-offset-2">
            {words.seeChecks}
          </Link>
        </div>
      )
  }
}
