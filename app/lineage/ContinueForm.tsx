import { CornerDownLeft, Play } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Draft, emptyDraft, taskOf } from '../home/draft.ts'
import { ScriptPicker } from '../home/ScriptPicker.tsx'
import { useRunTask } from '../home/useRunTask.ts'
import { useMachineCommands } from '../machines/useMachineCommands.ts'
import { Button } from '../parts/Button.tsx'
import { Choice } from '../parts/Choice.tsx'
import { ErrorNote } from '../parts/ErrorNote.tsx'
import { Segmented } from '../parts/Segmented.tsx'
import { keep, readKept } from '../state/kept.ts'
import { useStore } from '../state/store.ts'
import { timeTravelText } from '../text/time-travel.ts'
import { text } from '../text.ts'

const words = timeTravelText.go
const ways = [
  { value: 'hand', label: words.hand },
  { value: 'goal', label: words.goal },
] as const
const planners = (['anthropic', 'openai', 'local', 'script', 'human'] as const).map((value) => ({
  value,
  label: text.home.planners[value],
}))

/** The future of a moment: a copy of the machine to oneself, or an agent that goes on there. */
export function ContinueForm({ snapshotId }: { snapshotId: string }) {
  const [way, setWay] = useState<'hand' | 'goal'>('hand')
  return (
    <section aria-label={words.title} className="space-y-2.5">
      <Segmented label={words.how} value={way} options={ways} onChange={setWay} />
      {way === 'hand' ? <ByHand snapshotId={snapshotId} /> : <WithGoal snapshotId={snapshotId} />}
    </section>
  )
}

function ByHand({ snapshotId }: { snapshotId: string }) {
  const { restore, busy, connected } = useMachineCommands()
  return (
    <>
      <Button
        look="primary"
        icon={Play}
        className="w-full"
        busy={busy === 'restore'}
        disabled={!connected}
        onClick={() => restore(snapshotId)}
      >
        {text.lineage.continue}
      </Button>
      <p className="text-sm text-muted">{text.lineage.continueDetail}</p>
    </>
  )
}

/** Who thinks, and how, is what the composer was last set to, until it is changed here. */
function WithGoal({ snapshotId }: { snapshotId: string }) {
  const [draft, setDraft] = useState(() => ({ ...readKept('draft', Draft, emptyDraft), goal: '', keepMachine: true }))
  const { run, busy, error, setError } = useRunTask()
  const connected = useStore((store) => store.connection === 'open')
  const task = taskOf(draft)
  const change = (part: Partial<Draft>) => {
    setError(null)
    setDraft((old) => ({ ...old, ...part }))
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!task || busy || !connected) return
    keep('draft', { ...readKept('draft', Draft, emptyDraft), planner: draft.planner })
    await run({ ...task, fromSnapshot: snapshotId })
  }
  return (
    <form onSubmit={submit} className="space-y-2">
      <textarea
        aria-label={words.goalLabel}
        value={draft.goal}
        rows={3}
        maxLength={20_000}
        placeholder={words.goalPlaceholder}
        onChange={(event) => change({ goal: event.target.value })}
        className="block w-full resize-none rounded-md bg-raised px-3 py-2 ring-1 ring-line ring-inset placeholder:text-muted"
      />
      <div className="flex gap-2">
        <Choice
          label={text.home.planner}
          value={draft.planner}
          options={planners}
          onChange={(planner) => change({ planner })}
        />
        <ModelName draft={draft} onChange={change} />
      </div>
      {draft.planner === 'script' && (
        <ScriptPicker chosen={draft.script} onChoose={(script) => change({ script })} onError={setError} />
      )}
      {error && <ErrorNote error={error} />}
      <Button
        type="submit"
        look="primary"
        icon={CornerDownLeft}
        className="w-full"
        busy={busy}
        disabled={!task || !connected}
      >
        {words.start}
      </Button>
      <p className="text-sm text-muted">{words.detail}</p>
    </form>
  )
}

const modelFields = { anthropic: 'model', openai: 'openaiModel', local: 'localModel' } as const

function ModelName({ draft, onChange }: { draft: Draft; onChange: (part: Partial<Draft>) => void }) {
  if (draft.planner === 'script' || draft.planner === 'human') return null
  const field = modelFields[draft.planner]
  return (
    <input
      aria-label={text.home.model}
      value={draft[field]}
      placeholder={draft.planner === 'local' ? text.home.localModelPlaceholder : text.home.modelPlaceholder}
      onChange={(event) => onChange({ [field]: event.target.value })}
      className="h-9 min-w-0 flex-1 rounded-md bg-raised px-2.5 text-sm ring-1 ring-line ring-inset placeholder:text-muted"
    />
  )
}
