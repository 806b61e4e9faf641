import { Check, CircleSlash, type LucideIcon, X, Zap } from 'lucide-react'
import type { Task } from '../../main/contract/task.ts'
import { ErrorNote } from '../parts/ErrorNote.tsx'
import { ReplayReport } from '../replay/ReplayReport.tsx'
import { replayOf } from '../replay/report.ts'
import { text } from '../text.ts'
import { CheckList } from './CheckList.tsx'

const looks: Partial<Record<Task['state'], { icon: LucideIcon; badge: string }>> = {
  succeeded: { icon: Check, badge: 'bg-pass-tint text-pass' },
  failed: { icon: X, badge: 'bg-fail-tint text-fail' },
  interrupted: { icon: Zap, badge: 'bg-warn-tint text-warn' },
}

/** How it ended, and why one may believe it. */
export function VerdictCard({ task }: { task: Task }) {
  const { icon: Icon, badge } = looks[task.state] ?? { icon: CircleSlash, badge: 'bg-ink/7 text-muted' }
  const recorded = replayOf(task.planner)
  const sameWords = task.error?.message === task.verdict
  return (
    <section
      aria-label={text.task.finalChecks}
      className="arrive max-h-[38%] shrink-0 space-y-3 overflow-y-auto rounded-lg bg-surface p-4 shadow-card ring-1 ring-line max-md:max-h-none"
    >
      <div className="flex items-start gap-3">
        <span className={`grid size-8 shrink-0 place-items-center rounded-full ${badge}`}>
          <Icon size={18} strokeWidth={2.4} aria-hidden="true" />
        </span>
        <div className="min-w-0 pt-0.5">
          <h2 className="font-semibold">{text.task.states[task.state]}</h2>
          <p className="wrap-anywhere text-muted">{task.verdict ?? text.task.noVerdict}</p>
        </div>
      </div>
      {task.error && !(sameWords && !task.error.hint) && (
        <ErrorNote error={sameWords ? { message: task.error.hint ?? '' } : task.error} />
      )}
      {task.checks.length > 0 ? (
        <CheckList checks={task.checks} />
      ) : (
        task.state === 'failed' && <p className="text-sm text-muted">{text.task.noChecks}</p>
      )}
      {recorded && <ReplayReport taskId={task.id} recorded={recorded} />}
    </section>
  )
}
