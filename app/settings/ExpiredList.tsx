import { ChevronDown } from 'lucide-react'
import type { Expired } from '../../main/contract/trace.ts'
import { Link } from '../route/Link.tsx'
import { tracesText } from '../text/traces.ts'
import { bytes } from '../time/format.ts'

const words = tracesText.retention

export function ExpiredList({ expired }: { expired: readonly Expired[] }) {
  return (
    <details className="group text-sm">
      <summary className="inline-flex items-center gap-1.5 rounded-md text-muted hover:text-ink">
        {words.list}
        <ChevronDown size={14} aria-hidden="true" className="transition-transform group-open:rotate-180" />
      </summary>
      <ul className="mt-2 max-h-60 divide-y divide-line overflow-y-auto rounded-md ring-1 ring-line">
        {expired.map(({ taskId, goal, bytes: size, reason }) => (
          <li key={taskId} className="flex items-baseline gap-3 px-3 py-1.5">
            <Link
              to={{ screen: 'task', taskId, step: null }}
              className="min-w-0 flex-1 truncate hover:underline"
              title={goal}
            >
              {goal}
            </Link>
            <span className="shrink-0 text-muted">{words.reasons[reason]}</span>
            <span className="w-16 shrink-0 text-right tabular-nums">{bytes(size)}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}
