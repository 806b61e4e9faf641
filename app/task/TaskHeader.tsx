import { History, Square } from 'lucide-react'
import { useMemo } from 'react'
import type { Step, Task } from '../../main/contract/task.ts'
import { Button } from '../parts/Button.tsx'
import { Link } from '../route/Link.tsx'
import { call } from '../state/engine.ts'
import { isOver } from '../state/world.ts'
import { text } from '../text.ts'
import { wholeDuration } from '../time/format.ts'
import { useNow } from '../time/useNow.ts'
import { costOf, totalUsage } from './cost.ts'
import { EndedButtons } from './EndedButtons.tsx'
import { ExportMenu } from './ExportMenu.tsx'
import { TaskChip } from './TaskChip.tsx'
import { useTaskCommand } from './useTaskCommand.ts'

export function TaskHeader({ task, steps }: { task: Task; steps: readonly Step[] }) {
  return (
    <header className="flex items-center gap-3 border-b border-line bg-surface px-5 py-2.5">
      <TaskChip task={task} />
      <h1 className="line-clamp-2 min-w-0 flex-1 font-semibold wrap-anywhere" title={task.goal}>
        {task.goal}
      </h1>
      <Facts task={task} steps={steps} />
      <Link
        to={{ screen: 'time', taskId: task.id, snapshotId: null }}
        aria-label={text.lineage.title}
        title={text.lineage.title}
        className="grid size-7 shrink-0 place-items-center rounded-md text-muted hover:bg-ink/7 hover:text-ink"
      >
        <History size={16} aria-hidden="true" />
      </Link>
      {isOver(task) && <ExportMenu task={task} />}
      {isOver(task) ? <EndedButtons task={task} /> : <StopButton task={task} />}
    </header>
  )
}

function Facts({ task, steps }: { task: Task; steps: readonly Step[] }) {
  const cost = useMemo(() => costOf(totalUsage(steps)), [steps])
  const over = isOver(task)
  const now = useNow(1000, !over)
  const since = Date.parse(task.startedAt ?? task.createdAt)
  const until = task.endedAt ? Date.parse(task.endedAt) : over ? null : now
  return (
    <p className="shrink-0 text-sm text-muted tabular-nums">
      <span className="max-md:hidden">{task.planner} · </span>
      {text.common.steps(task.stepCount)}
      {until !== null && (
        <>
          {' · '}
          <span title={text.task.elapsed}>{wholeDuration(until - since)}</span>
        </>
      )}
      {cost && <span title={text.stage.cost.label}> · {cost}</span>}
    </p>
  )
}

function StopButton({ task }: { task: Task }) {
  const { send, busy, connected } = useTaskCommand()
  const stop = () => send(() => call('task.stop', { taskId: task.id }))
  return (
    <Button look="danger" size="sm" icon={Square} busy={busy} disabled={!connected} onClick={stop}>
      {text.task.stop}
    </Button>
  )
}
