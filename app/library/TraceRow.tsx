import { Tags, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { TraceEntry, TraceFacets } from '../../main/contract/trace.ts'
import { IconButton } from '../parts/Button.tsx'
import { Chip } from '../parts/Chip.tsx'
import { Link } from '../route/Link.tsx'
import { isOver } from '../state/world.ts'
import { canReplay, ReplayIcon } from '../task/EndedButtons.tsx'
import { ExportMenu } from '../task/ExportMenu.tsx'
import { TaskChip } from '../task/TaskChip.tsx'
import { tracesText } from '../text/traces.ts'
import { text } from '../text.ts'
import { ago, bytes, exactMoment } from '../time/format.ts'
import { DeleteTrace } from './DeleteTrace.tsx'
import { marked } from './filters.ts'
import { TagEditor } from './TagEditor.tsx'

const words = text.library

type Props = {
  entry: TraceEntry
  now: number
  knownTags: TraceFacets['tags']
  chosen: boolean
  onChoose: (chosen: boolean) => void
  onTag: (tag: string) => void
  onChange: () => void
  onGone: () => void
}

export function TraceRow({ entry, now, knownTags, chosen, onChoose, onTag, onChange, onGone }: Props) {
  const { task, tags, imported } = entry
  const [asking, setAsking] = useState(false)
  const [tagging, setTagging] = useState(false)
  return (
    <li
      className={`flex items-start gap-2 pr-3 transition-colors first:rounded-t-lg last:rounded-b-lg ${chosen ? 'bg-lapis-tint/60' : 'hover:bg-ink/4'}`}
    >
      <label className="shrink-0 self-stretch py-4 pl-4" title={tracesText.compare.choose(task.goal)}>
        <input
          type="checkbox"
          checked={chosen}
          aria-label={tracesText.compare.choose(task.goal)}
          onChange={(event) => onChoose(event.target.checked)}
          className="block"
        />
      </label>
      <div className="min-w-0 flex-1 pb-3">
        <Link
          to={{ screen: 'task', taskId: task.id, step: null }}
          className="flex items-start gap-4 px-1 pt-3 pb-1 -outline-offset-2"
        >
          <span className="w-27 shrink-0 pt-px">
            <TaskChip task={task} />
          </span>
          <span className="min-w-0 flex-1 space-y-1">
            <span className="line-clamp-2 font-medium wrap-anywhere">{task.goal}</span>
            {entry.best && <Found entry={entry} />}
            <span className="flex flex-wrap gap-x-2 text-sm text-muted">
              <span className="max-w-60 truncate">{task.planner}</span>
              <span>· {text.common.steps(task.stepCount)}</span>
              <span>· {bytes(entry.bytes)}</span>
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
        {(imported || tags.length > 0 || tagging) && (
          <div className="flex flex-wrap items-center gap-1.5 pl-32">
            {imported && <Chip tone="lapis">{words.wasImported}</Chip>}
            {tagging ? (
              <TagEditor
                task={task}
                tags={tags}
                known={knownTags}
                onChange={onChange}
                onClose={() => setTagging(false)}
              />
            ) : (
              tags.map((tag) => (
                <button
                  key={tag}
                  type="button"
                  title={tracesText.tags.filter(tag)}
                  aria-label={tracesText.tags.filter(tag)}
                  onClick={() => onTag(tag)}
                  className="rounded-full hover:ring-1 hover:ring-edge"
                >
                  <Chip>{tag}</Chip>
                </button>
              ))
            )}
          </div>
        )}
      </div>
      <span className="flex shrink-0 items-center gap-1 pt-2.5">
        {isOver(task) && canReplay(task) && <ReplayIcon task={task} />}
        <IconButton
          size="sm"
          icon={Tags}
          label={tracesText.tags.label(task.goal)}
          aria-expanded={tagging}
          onClick={() => setTagging(!tagging)}
        />
        {isOver(task) && (
          <>
            <ExportMenu task={task} />
            <IconButton size="sm" icon={Trash2} label={words.remove(task.goal)} onClick={() => setAsking(true)} />
          </>
        )}
      </span>
      {asking && <DeleteTrace entry={entry} onGone={onGone} onClose={() => setAsking(false)} />}
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
