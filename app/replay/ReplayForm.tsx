import { Repeat, RotateCcw } from 'lucide-react'
import { type FormEvent, useId, useMemo, useState } from 'react'
import type { Task } from '../../main/contract/task.ts'
import { useRunTask } from '../home/useRunTask.ts'
import { Button, IconButton } from '../parts/Button.tsx'
import { ErrorNote } from '../parts/ErrorNote.tsx'
import { Modal } from '../parts/Modal.tsx'
import { Segmented } from '../parts/Segmented.tsx'
import { useStore } from '../state/store.ts'
import { useTaskDetail } from '../task/useTaskDetail.ts'
import { tracesText } from '../text/traces.ts'
import { text } from '../text.ts'
import { mostVariables, type RecordedValue, valuesOf, variablesOf } from './values.ts'

const words = tracesText.replay
const disagreements = (['ask', 'stop'] as const).map((value) => ({ value, label: words.disagreements[value] }))

/** The same again on a fresh desktop, with other values where the person wants them. Nothing needs to be filled in. */
export function ReplayForm({ task, onClose }: { task: Task; onClose: () => void }) {
  const { steps, fetched, error: missing } = useTaskDetail(task.id)
  const { run, busy, error } = useRunTask()
  const connected = useStore((store) => store.connection === 'open')
  const values = useMemo(() => valuesOf(steps), [steps])
  const [typed, setTyped] = useState<ReadonlyMap<string, string>>(new Map())
  const [disagreement, setDisagreement] = useState<'ask' | 'stop'>('ask')
  const [keepMachine, setKeepMachine] = useState(false)
  const variables = variablesOf(typed)
  const tooMany = variables.length > mostVariables
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const planner = { kind: 'replay' as const, taskId: task.id, variables, disagreement }
    if (await run({ goal: task.goal, image: task.image, planner, keepMachine })) onClose()
  }
  return (
    <Modal label={words.title} onClose={onClose} className="w-152 max-w-[calc(100vw-32px)]">
      <form onSubmit={submit} className="flex max-h-[86vh] flex-col">
        <header className="space-y-1 border-b border-line p-5 pb-4">
          <h2 className="text-lg font-semibold">{words.title}</h2>
          <p className="line-clamp-2 wrap-anywhere">{task.goal}</p>
          <p className="text-sm text-muted">{words.lead}</p>
        </header>
        <section aria-label={words.values} className="min-h-0 space-y-3 overflow-y-auto p-5">
          <div>
            <h3 className="font-medium">{words.values}</h3>
            {values.length > 0 && <p className="text-sm text-muted">{words.valuesLead}</p>}
          </div>
          {missing && <ErrorNote error={missing} />}
          {!fetched && !missing && <p className="text-sm text-muted">{words.loading}</p>}
          {fetched && values.length === 0 && <p className="text-sm text-muted">{words.none}</p>}
          {values.map((value, index) => (
            <Value
              key={value.recorded}
              value={value}
              number={index + 1}
              now={typed.get(value.recorded) ?? value.recorded}
              onChange={(next) => setTyped(new Map(typed).set(value.recorded, next))}
            />
          ))}
          {tooMany && <ErrorNote error={{ message: words.tooMany(mostVariables) }} />}
        </section>
        <footer className="space-y-3 border-t border-line p-5 pt-4">
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p className="text-sm">{words.disagreement}</p>
            <Segmented
              label={words.disagreement}
              value={disagreement}
              options={disagreements}
              onChange={setDisagreement}
            />
          </div>
          <label className="flex items-center gap-2 text-sm">
            <input type="checkbox" checked={keepMachine} onChange={(event) => setKeepMachine(event.target.checked)} />
            {words.keepMachine}
          </label>
          {error && <ErrorNote error={error} />}
          <div className="flex justify-end gap-2">
            <Button onClick={onClose}>{text.common.cancel}</Button>
            <Button
              type="submit"
              look="primary"
              icon={Repeat}
              data-first-focus
              busy={busy}
              disabled={!connected || tooMany}
            >
              {words.start}
            </Button>
          </div>
        </footer>
      </form>
    </Modal>
  )
}

type ValueProps = { value: RecordedValue; number: number; now: string; onChange: (value: string) => void }

function Value({ value: { recorded, steps }, number, now, onChange }: ValueProps) {
  const id = useId()
  const changed = now !== recorded
  return (
    <div className="grid gap-1">
      <div className="flex h-7 items-center gap-2 text-xs text-muted">
        <label htmlFor={id}>
          {words.value(number)} · {words.inSteps(steps)}
        </label>
        {changed && (
          <>
            <span className="font-medium text-lapis">{words.changed}</span>
            <IconButton size="sm" icon={RotateCcw} label={words.reset(number)} onClick={() => onChange(recorded)} />
          </>
        )}
      </div>
      <textarea
        id={id}
        value={now}
        rows={Math.min(6, recorded.split('\n').length)}
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
        className={`field-sizing-content max-h-40 min-h-8.5 resize-none rounded-md bg-raised px-2.5 py-1.5 font-mono text-sm ring-inset hover:ring-edge ${changed ? 'ring-2 ring-lapis' : 'ring-1 ring-line'}`}
      />
    </div>
  )
}
