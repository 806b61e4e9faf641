import { Columns2 } from 'lucide-react'
import type { ReplayedStep } from '../../main/contract/replay.ts'
import { Link } from '../route/Link.tsx'
import { useStore } from '../state/store.ts'
import { tracesText } from '../text/traces.ts'
import { noteOf, reportOf } from './report.ts'

const words = tracesText.replay
const looks: Record<ReplayedStep['outcome'], string> = {
  agrees: 'bg-pass',
  moved: 'bg-lapis',
  differs: 'bg-warn',
  skipped: 'bg-edge',
  stopped: 'bg-fail',
}

/** How a replay came out, a mark for each recorded step, and in words where it did not come out as recorded. */
export function ReplayReport({ taskId, recorded }: { taskId: string; recorded: string }) {
  const steps = useStore((store) => store.steps[taskId])
  const report = reportOf(steps ?? [])
  if (report.length === 0) return null
  const agreed = report.filter(({ outcome }) => outcome === 'agrees').length
  return (
    <section aria-label={words.report} className="space-y-2 border-t border-line pt-3 text-sm">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <p>
          <span className="font-medium">{words.report}: </span>
          {words.counts(agreed, report.length)}
        </p>
        <Link
          to={{ screen: 'compare', a: recorded, b: taskId }}
          className="inline-flex items-center gap-1.5 text-lapis underline underline-offset-2"
        >
          <Columns2 size={14} aria-hidden="true" />
          {words.whole}
        </Link>
      </div>
      <ol className="flex gap-0.5" aria-label={words.report}>
        {report.map(({ index, outcome }) => (
          <li
            key={index}
            title={words.stepOutcome(index + 1, words.outcomes[outcome])}
            className={`h-2 min-w-px flex-1 rounded-full ${looks[outcome]}`}
          >
            <span className="sr-only">{words.stepOutcome(index + 1, words.outcomes[outcome])}</span>
          </li>
        ))}
      </ol>
      <ul className="space-y-1">
        {report
          .filter(({ outcome }) => outcome !== 'agrees')
          .map((found) => (
            <li key={found.index} className="flex gap-2 wrap-anywhere">
              <span aria-hidden="true" className={`mt-1.5 size-2 shrink-0 rounded-full ${looks[found.outcome]}`} />
              <span>
                <span className="font-medium">{words.stepOutcome(found.index + 1, words.outcomes[found.outcome])}</span>
                {noteOf(found) && ` · ${noteOf(found)}`}
              </span>
            </li>
          ))}
      </ul>
    </section>
  )
}
