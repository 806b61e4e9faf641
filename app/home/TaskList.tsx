import { History } from 'lucide-react'
import { memo, useMemo } from 'react'
import type { Task } from '../../main/contract/task.ts'
import { EmptyState } from '../parts/EmptyState.tsx'
import { Link } from '../route/Link.tsx'
import { useStore } from '../state/store.ts'
import { isOver, newestFirst } from '../state/world.ts'
import { canReplay, ReplayIcon } from '../task/EndedButtons.tsx'
import { TaskChip } from '../task/TaskChip.tsx'
import { text } from '../text.ts'
import { ago, duration, exactMoment } from '../time/format.ts'
import { useNow } from '../time/useNow.ts'

export function TaskList() {
  const known = useStore((store) => store.info !== null)
  const tasks = useStore((store) => store.tasks)
  const sorted = useMemo(() => newestFirst(tasks), [tasks])
  const now = useNow(30_000)
  return (
    <section aria-labelledby="past-tasks" className="pt-4">
      <h2 id="past-tasks" className="mb-2.5 text-lg font-semibold">
        {text.home.tasks}
      </h2>
      {!known ? (
        <p className="text-muted">{text.common.loading}</p>
      ) : sorted.length === 0 ? (
        <EmptyState icon={History} {...text.home.noTasks} />
      ) : (
        <ul className="divide-y divide-line overflow-hidden rounded-lg bg-surface shadow-card ring-1 ring-line">
          {sorted.map((task) => (
            <TaskRow key={task.id} task={task} when={ago(task.createdAt, now)} />
          ))}
        </ul>
      )}
    </section>
  )
}

const TaskRow = memo(function TaskRow({ task, when }: { task: Task; when: string }) {
  const took = task.startedAt && task.endedAt ? Date.parse(task.endedAt) - Date.parse(task.startedAt) : null
  const outcome = task.verdict ?? task.error?.message
  return (
    <li className="task-row flex items-center pr-2 transition-colors hover:bg-ink/4">
      <Link
        to={{ screen: 'task', taskId: task.id, step: null }}
        className="flex min-w-0 flex-1 items-start gap-4 px-4 py-3 -outline-offset-2"
      >
        <span className="w-30 shrink-0 pt-px">
          <TaskChip task={task} />
        </span>
        <span className="min-w-0 flex-1">
          <span className="line-clamp-2 font-medium wrap-anywhere">{task.goal}</span>
          {isOver(task) && outcome && <span className="mt-0.5 line-clamp-1 text-sm text-muted">{outcome}</span>}
        </span>
        <span className="shrink-0 text-right text-sm text-muted">
          <time dateTime={task.createdAt} title={exactMoment(task.createdAt)} className="block">
            {when}
          </time>
          <span className="block">
            {text.common.steps(task.stepCount)}
            {took !== null && ` · ${duration(took)}`}
          </span>
        </span>
      </Link>
      <span className="size-7 shrink-0">{isOver(task) && canReplay(task) && <ReplayIcon task={task} />}</span>
    </li>
  )
})
