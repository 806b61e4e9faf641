import { describeAct } from '../../main/contract/action.ts'
import type { Step } from '../../main/contract/task.ts'
import { Link } from '../route/Link.tsx'
import { useTaskDetail } from '../task/useTaskDetail.ts'
import { VerdictChip } from '../task/VerdictChip.tsx'
import { text } from '../text.ts'

const words = text.lineage

/** The steps on both sides of a moment: what led to it, and what was done next. */
export function MomentSteps({ taskId, snapshotId }: { taskId: string; snapshotId: string }) {
  const { steps } = useTaskDetail(taskId)
  const around = steps.filter((step) => step.snapshotAfter === snapshotId || step.snapshotBefore === snapshotId)
  if (around.length === 0) return null
  return (
    <section aria-label={words.steps} className="space-y-2 border-t border-line pt-4">
      <h3 className="text-sm font-semibold">{words.steps}</h3>
      <ul className="space-y-2">
        {around.map((step) => (
          <Around key={step.index} step={step} isAfter={step.snapshotAfter !== snapshotId} />
        ))}
      </ul>
    </section>
  )
}

function Around({ step, isAfter }: { step: Step; isAfter: boolean }) {
  return (
    <li>
      <Link
        to={{ screen: 'task', taskId: step.taskId, step: step.index }}
        className="block space-y-1 rounded-md bg-raised p-3 ring-1 ring-line hover:ring-edge"
      >
        <span className="flex items-center justify-between gap-2 text-xs text-muted">
          <span>
            {isAfter ? words.after : words.before} · {text.task.step(step.index + 1)}
          </span>
          <VerdictChip verdict={step.verdict} />
        </span>
        <span className="line-clamp-3 text-sm font-medium">{step.thought}</span>
        {step.actions.slice(0, 3).map(({ act }, index) => (
          <span key={index} className="block truncate text-sm text-muted">
            {describeAct(act)}
          </span>
        ))}
      </Link>
    </li>
  )
}
