import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { TraceEntry } from '../../main/contract/trace.ts'
import { IconButton } from '../parts/Button.tsx'
import { Chip } from '../parts/Chip.tsx'
import { Confirm } from '../parts/Confirm.tsx'
import { Link } from '../route/Link.tsx'
import { call } from '../state/engine.ts'
import { toast, toastError } from '../state/toasts.ts'
import { isOver } from '../state/world.ts'
import { ExportMenu } from '../task/ExportMenu.tsx'
import { TaskChip } from '../task/TaskChip.tsx'
import { text } from '../text.ts'
import { ago, bytes, exactMoment } from '../time/format.ts'
import { marked } from './filters.ts'

const words = text.library

export function TraceRow({ entry, now, onGone }: { entry: TraceEntry; now: number; onGone: () => void }) {
  const { task, tags, imported } = entry
  const [asking, setAsking] = useState(false)
  const size = bytes(entry.bytes)
  const remove = () =>
    call('trace.delete', { taskId: task.id }).then((freed) => {
      toast(words.removed(bytes(freed.bytes)))
      onGone()
    }, toastError)
  return (
    <li className="flex items-start gap-2 pr-3 transition-colors hover:bg-ink/4">
      <Link
        to={{ screen: 'task', taskId: task.id, step: null }}
        className="flex min-w-0 flex-1 items-start gap-4 px-4 py-3 -outline-offset-2"
      >
        <span className="w-27 shrink-0 pt-px">
          <TaskChip task={task} />
        </span>
        <span className="min-w-0 flex-1 space-y-1">
          <span className="line-clamp-2 font-medium wrap-anywhere">{task.goal}</span>
          {entry.best && <Found entry={entry} />}
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
            <span>{task.planner}</span>
            <span>· {text.common.steps(task.stepCount)}</span>
            <span>· {size}</span>
            {imported && <Chip tone="lapis">{words.wasImported}</Chip>}
            {tags.map((tag) => (
              <Chip key={tag}>{tag}</Chip>
            ))}
          </span>
        </span>
        <time
          dateTime={task.createdAt}
          title={exactMoment(task.createdAt)}
          className="shrink-0 text-right text-sm text-muted"
        >
          {ago(task.createdAt, now)}
        </time>
      </Link>
      {isOver(task) && (
        <span className="flex shrink-0 items-center gap-1 pt-2.5">
          <ExportMenu task={task} />
          <IconButton size="sm" icon={Trash2} label={words.remove(task.goal)} onClick={() => setAsking(true)} />
        </span>
      )}
      {asking && (
        <Confirm
          title={words.removeTitle}
          detail={words.removeDetail(task.goal, size)}
          action={words.removeAction}
          onConfirm={remove}
          onClose={() => setAsking(false)}
        />
      )}
    </li>
  )
}

function Found({ entry: { best, hits } }: { entry: TraceEntry }) {
  if (!best) return null
  return (
    <span className="line-clamp-2 text-sm wrap-anywhere">
      {best.stepIndex !== null && <span className="text-muted">{words.inStep(best.stepIndex + 1)} </span>}
      {marked(best.text).map(({ text: part, hit }, index) =>
        hit ? (
          <mark key={index} className="rounded-sm bg-warn-tint text-ink">
            {part}
          </mark>
        ) : (
          part
        ),
      )}
      {hits > 1 && <span className="text-muted"> · {words.hits(hits)}</span>}
    </span>
  )
}
