import { ChevronRight, CircleAlert, CircleCheck, CircleHelp, type LucideIcon, TriangleAlert } from 'lucide-react'
import type { DoctorCheck } from '../../main/contract/rpc.ts'
import { Prose } from '../parts/Prose.tsx'
import { text } from '../text.ts'
import { FixButton } from './FixButton.tsx'

const looks: Record<DoctorCheck['status'], { icon: LucideIcon; colour: string }> = {
  ok: { icon: CircleCheck, colour: 'text-pass' },
  warning: { icon: TriangleAlert, colour: 'text-warn' },
  problem: { icon: CircleAlert, colour: 'text-fail' },
  unproven: { icon: CircleHelp, colour: 'text-muted' },
}

export function CheckRow({ check, onFixed }: { check: DoctorCheck; onFixed: () => void }) {
  const { icon: Icon, colour } = looks[check.status]
  const details = Object.entries(check.details ?? {})
  return (
    <li className="flex gap-3 px-4 py-3">
      <Icon size={18} aria-hidden="true" className={`mt-0.5 shrink-0 ${colour}`} />
      <div className="min-w-0 flex-1 wrap-anywhere">
        <p className="flex items-baseline justify-between gap-3">
          <span className="font-medium">{check.name}</span>
          <span className={`text-sm ${colour}`}>{text.doctor.statuses[check.status]}</span>
        </p>
        <p className="text-muted">
          <Prose>{check.summary}</Prose>
        </p>
        {check.hint && (
          <p className="mt-1.5 border-l-2 border-edge pl-2.5 text-sm">
            <Prose>{check.hint}</Prose>
          </p>
        )}
        {check.fix && <FixButton fix={check.fix} onFixed={onFixed} />}
        {details.length > 0 && (
          <details className="group mt-1 text-sm text-muted">
            <summary className="inline-flex items-center gap-1 rounded-sm hover:text-ink">
              <ChevronRight size={13} aria-hidden="true" className="transition-transform group-open:rotate-90" />
              {text.doctor.details}
            </summary>
            <dl className="mt-1.5 grid grid-cols-[max-content_1fr] gap-x-4 gap-y-1 font-mono text-xs">
              {details.map(([name, value]) => (
                <div key={name} className="contents">
                  <dt>{name}</dt>
                  <dd className="text-ink">{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
                </div>
              ))}
            </dl>
          </details>
        )}
      </div>
    </li>
  )
}
