import { CornerDownLeft, SlidersHorizontal } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useEffect, useId, useState } from 'react'
import { Button } from '../parts/Button.tsx'
import { ErrorNote } from '../parts/ErrorNote.tsx'
import { Segmented } from '../parts/Segmented.tsx'
import { keep, readKept } from '../state/kept.ts'
import { useStore } from '../state/store.ts'
import { text } from '../text.ts'
import { ComposerOptions } from './ComposerOptions.tsx'
import { Draft, emptyDraft, taskOf } from './draft.ts'
import { ScriptPicker } from './ScriptPicker.tsx'
import { useRunTask } from './useRunTask.ts'

const words = text.home
const images = [
  { value: 'desktop', label: words.images.desktop },
  { value: 'minimal', label: words.images.minimal },
] as const
const planners = [
  { value: 'anthropic', label: words.planners.anthropic },
  { value: 'openai', label: words.planners.openai },
  { value: 'local', label: words.planners.local },
  { value: 'script', label: words.planners.script },
] as const

export function Composer() {
  const [draft, setDraft] = useState(() => readKept('draft', Draft, emptyDraft))
  const [optionsOpen, setOptionsOpen] = useState(draft.planner === 'local')
  const { run, busy, error, setError } = useRunTask()
  const connected = useStore((store) => store.connection === 'open')
  const goalId = useId()
  const optionsId = useId()
  const task = taskOf(draft)

  useEffect(() => keep('draft', draft), [draft])
  const change = (part: Partial<Draft>) => {
    setError(null)
    setDraft((old) => ({ ...old, ...part }))
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    // Written at once: a started task leads to another page before the effect above would run.
    if (task && !busy && connected && (await run(task))) keep('draft', { ...draft, goal: '' })
  }
  const submitByKeys = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit()
  }

  return (
    <form
      onSubmit={submit}
      className="rounded-lg bg-surface shadow-lift ring-1 ring-line transition-shadow focus-within:ring-edge"
    >
      <label htmlFor={goalId} className="sr-only">
        {words.goal}
      </label>
      <textarea
        id={goalId}
        value={draft.goal}
        onChange={(event) => change({ goal: event.target.value })}
        onKeyDown={submitByKeys}
        placeholder={words.goalPlaceholder}
        rows={3}
        maxLength={20_000}
        className="block field-sizing-content max-h-80 min-h-25 w-full resize-none rounded-t-lg px-4.5 pt-4 pb-2 text-lg outline-none placeholder:text-muted"
      />
      {draft.planner === 'script' && (
        <ScriptPicker chosen={draft.script} onChoose={(script) => change({ script })} onError={setError} />
      )}
      {optionsOpen && <ComposerOptions id={optionsId} draft={draft} onChange={change} />}
      {error && (
        <div className="px-3 pb-2">
          <ErrorNote error={error} />
        </div>
      )}
      <div className="flex flex-wrap items-center gap-2 border-t border-line p-2.5">
        <Segmented
          label={words.planner}
          value={draft.planner}
          options={planners}
          onChange={(planner) => {
            change({ planner })
            if (planner === 'local') setOptionsOpen(true) // it cannot go without what is asked there
          }}
        />
        <Segmented label={words.image} value={draft.image} options={images} onChange={(image) => change({ image })} />
        <Button
          look="quiet"
          icon={SlidersHorizontal}
          aria-expanded={optionsOpen}
          aria-controls={optionsId}
          onClick={() => setOptionsOpen(!optionsOpen)}
        >
          {words.options}
        </Button>
        <span className="ml-auto text-xs text-muted max-md:hidden">{words.runKeys}</span>
        <Button type="submit" look="primary" icon={CornerDownLeft} busy={busy} disabled={!task || !connected}>
          {words.run}
        </Button>
      </div>
    </form>
  )
}
