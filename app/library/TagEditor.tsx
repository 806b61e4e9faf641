import { Check, Plus, X } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import type { Task } from '../../main/contract/task.ts'
import { Tag, type TraceFacets } from '../../main/contract/trace.ts'
import { Button, IconButton } from '../parts/Button.tsx'
import { useBusy } from '../settings/useBusy.ts'
import { call } from '../state/engine.ts'
import { tracesText } from '../text/traces.ts'

const words = tracesText.tags

type Props = {
  task: Task
  tags: readonly string[]
  known: TraceFacets['tags']
  onChange: () => void
  onClose: () => void
}

/** Puts tags on a trace and takes them off, one at a time. Those in use elsewhere are offered. */
export function TagEditor({ task, tags, known, onChange, onClose }: Props) {
  const [typed, setTyped] = useState('')
  const [wrong, setWrong] = useState(false)
  const { busy, during } = useBusy()
  const ids = { list: useId(), note: useId() }
  const set = async (tag: string, on: boolean) => {
    if (!(await during(() => call('trace.tag', { taskId: task.id, tag, on })))) return
    if (on) setTyped('')
    onChange()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const tag = Tag.safeParse(typed)
    setWrong(!tag.success)
    if (tag.success) void set(tag.data, true)
  }
  return (
    <form
      aria-label={words.label(task.goal)}
      onSubmit={submit}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
      className="flex flex-wrap items-center gap-1.5"
    >
      {tags.map((tag) => (
        <span
          key={tag}
          className="inline-flex h-7 items-center rounded-full bg-ink/7 pl-2.5 text-xs font-medium text-muted"
        >
          {tag}
          <IconButton
            size="sm"
            icon={X}
            label={words.remove(tag)}
            disabled={busy}
            onClick={() => void set(tag, false)}
            className="rounded-full"
          />
        </span>
      ))}
      <input
        // biome-ignore lint/a11y/noAutofocus: it appears because the person asked for it
        autoFocus
        aria-label={words.add}
        aria-invalid={wrong}
        aria-describedby={wrong ? ids.note : undefined}
        list={ids.list}
        value={typed}
        placeholder={words.addPlaceholder}
        maxLength={60}
        onChange={(event) => {
          setTyped(event.target.value)
          setWrong(false)
        }}
        className="h-7 w-32 rounded-md bg-raised px-2 text-sm ring-1 ring-line ring-inset placeholder:text-muted hover:ring-edge"
      />
      <datalist id={ids.list}>
        {known
          .filter(({ tag }) => !tags.includes(tag))
          .map(({ tag }) => (
            <option key={tag} value={tag} />
          ))}
      </datalist>
      <Button type="submit" size="sm" icon={Plus} busy={busy} disabled={!typed.trim()}>
        {words.addAction}
      </Button>
      <Button size="sm" look="quiet" icon={Check} onClick={onClose}>
        {words.done}
      </Button>
      {wrong && (
        <p id={ids.note} role="alert" className="w-full text-sm text-fail">
          {words.invalid}
        </p>
      )}
    </form>
  )
}
