import { CornerDownLeft, ListPlus, Paperclip, SlidersHorizontal } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { MOST_ATTACHED } from '../../main/contract/attachment.ts'
import { goalFieldId } from '../commands/doing.ts'
import { keyText } from '../commands/keys.ts'
import { Button, IconButton } from '../parts/Button.tsx'
import { Choice } from '../parts/Choice.tsx'
import { ErrorNote } from '../parts/ErrorNote.tsx'
import { Segmented } from '../parts/Segmented.tsx'
import { useAsked } from '../settings/useAsked.ts'
import { keep, readKept } from '../state/kept.ts'
import { useStore } from '../state/store.ts'
import { toast } from '../state/toasts.ts'
import { text } from '../text.ts'
import { AttachedFiles } from './AttachedFiles.tsx'
import { ComposerOptions } from './ComposerOptions.tsx'
import { Draft, emptyDraft, taskOf } from './draft.ts'
import { ScriptPicker } from './ScriptPicker.tsx'
import { useAttach } from './useAttach.ts'
import { useImages } from './useImages.ts'
import { useRunTask } from './useRunTask.ts'

const words = text.home
const planners = [
  { value: 'anthropic', label: words.planners.anthropic },
  { value: 'openai', label: words.planners.openai },
  { value: 'local', label: words.planners.local },
  { value: 'script', label: words.planners.script },
  { value: 'human', label: words.planners.human },
] as const
const queueKeys = 'mod+shift+enter'

/** `goal`: words a link brought along. They are shown, never run by themselves. */
export function Composer({ goal }: { goal?: string | undefined }) {
  const [draft, setDraft] = useState(() => ({ ...readKept('draft', Draft, emptyDraft), ...(goal ? { goal } : {}) }))
  const [optionsOpen, setOptionsOpen] = useState(draft.planner === 'local')
  const { run, busy, error, setError } = useRunTask()
  const connected = useStore((store) => store.connection === 'open')
  const files = useRef<HTMLInputElement>(null)
  const images = useImages(draft.image)
  const optionsId = useId()
  const usualSites = useAsked('settings.get', {}).answer?.settings.allow.join(', ') ?? ''
  const task = taskOf({ ...draft, allow: draft.allow ?? usualSites })
  const possible = task !== null && !busy && connected

  useEffect(() => keep('draft', draft), [draft])
  const change = (part: Partial<Draft>) => {
    setError(null)
    setDraft((old) => ({ ...old, ...part }))
  }
  const attach = useAttach((attachment) =>
    setDraft((old) => ({ ...old, attached: [...old.attached, attachment].slice(0, MOST_ATTACHED) })),
  )
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    // Written at once: a started task leads to another page before the effect above would run.
    if (possible && (await run(task))) keep('draft', { ...draft, goal: '', attached: [] })
  }
  const queue = async () => {
    if (!possible || !(await run(task, { stay: true }))) return
    toast(words.queued(task.goal))
    change({ goal: '', attached: [] })
  }
  const submitByKeys = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    if (event.shiftKey) void queue()
    else event.currentTarget.form?.requestSubmit()
  }

  return (
    <form
      onSubmit={submit}
      {...attach.target}
      className={`rounded-lg bg-surface shadow-lift ring-1 transition-shadow focus-within:ring-edge ${attach.over ? 'ring-2 ring-lapis' : 'ring-line'}`}
    >
      <label htmlFor={goalFieldId} className="sr-only">
        {words.goal}
      </label>
      <textarea
        id={goalFieldId}
        value={draft.goal}
        onChange={(event) => change({ goal: event.target.value })}
        onKeyDown={submitByKeys}
        placeholder={attach.over ? words.attachDrop : words.goalPlaceholder}
        rows={3}
        maxLength={20_000}
        className="block field-sizing-content max-h-80 min-h-25 w-full resize-none rounded-t-lg px-4.5 pt-4 pb-2 text-lg outline-none placeholder:text-muted"
      />
      <AttachedFiles
        files={draft.attached}
        onRemove={(id) => change({ attached: draft.attached.filter((file) => file.id !== id) })}
      />
      {draft.planner === 'script' && (
        <ScriptPicker chosen={draft.script} onChoose={(script) => change({ script })} onError={setError} />
      )}
      {optionsOpen && <ComposerOptions id={optionsId} draft={draft} usualSites={usualSites} onChange={change} />}
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
        <Choice label={words.image} value={draft.image} options={images} onChange={(image) => change({ image })} />
        <input
          ref={files}
          type="file"
          multiple
          hidden
          onChange={(event) => {
            void attach.take([...(event.target.files ?? [])])
            event.target.value = ''
          }}
        />
        <IconButton
          icon={Paperclip}
          label={attach.busy ? words.attaching : words.attach}
          busy={attach.busy}
          disabled={!connected || draft.attached.length >= MOST_ATTACHED}
          onClick={() => files.current?.click()}
        />
        <Button
          look="quiet"
          icon={SlidersHorizontal}
          aria-expanded={optionsOpen}
          aria-controls={optionsId}
          onClick={() => setOptionsOpen(!optionsOpen)}
        >
          {words.options}
        </Button>
        <div className="ml-auto flex gap-2">
          <Button
            icon={ListPlus}
            disabled={!possible}
            title={words.queueDetail(keyText(queueKeys))}
            onClick={() => void queue()}
          >
            {words.queue}
          </Button>
          <Button
            type="submit"
            look="primary"
            icon={CornerDownLeft}
            busy={busy}
            disabled={!possible}
            title={keyText('mod+enter')}
          >
            {words.run}
          </Button>
        </div>
      </div>
    </form>
  )
}
