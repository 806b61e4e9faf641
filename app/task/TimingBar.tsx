import type { Step } from '../../main/contract/task.ts'
import { text } from '../text.ts'
import { duration } from '../time/format.ts'

const parts = [
  { key: 'planMs', colour: 'bg-lapis' },
  { key: 'actMs', colour: 'bg-gold' },
  { key: 'settleMs', colour: 'bg-edge' },
  { key: 'verifyMs', colour: 'bg-pass' },
] as const

/** Where the time of a step went. */
export function TimingBar({ timing }: { timing: Step['timing'] }) {
  return (
    <div className="space-y-2">
      <div className="flex h-1.5 gap-px overflow-hidden rounded-full bg-ink/10">
        {parts.map(({ key, colour }) => (
          <div key={key} className={colour} style={{ flexGrow: timing[key], flexBasis: 0 }} />
        ))}
      </div>
      <dl className="flex flex-wrap gap-x-4 gap-y-1 text-xs">
        {parts.map(({ key, colour }) => (
          <div key={key} className="flex items-center gap-1.5">
            <dt className="flex items-center gap-1.5 text-muted">
              <span className={`size-2 rounded-full ${colour}`} />
              {text.inspector.timings[key]}
            </dt>
            <dd className="tabular-nums">{duration(timing[key])}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
