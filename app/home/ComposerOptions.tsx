import type { InputHTMLAttributes } from 'react'
import { Approval } from '../../main/contract/task.ts'
import { text } from '../text.ts'
import { Draft } from './draft.ts'

const words = text.home
const approvals = ['usual', ...Approval.options] as const

type Props = { id: string; draft: Draft; onChange: (part: Partial<Draft>) => void }

export function ComposerOptions({ id, draft, onChange }: Props) {
  return (
    <div id={id} className="flex flex-wrap items-end gap-x-5 gap-y-3 border-t border-line px-4.5 py-3.5">
      {draft.planner === 'anthropic' && (
        <Field
          label={words.model}
          value={draft.model}
          placeholder={words.modelPlaceholder}
          onChange={(event) => onChange({ model: event.target.value })}
          className="w-56"
        />
      )}
      {draft.planner === 'openai' && (
        <Field
          label={words.model}
          value={draft.openaiModel}
          placeholder={words.modelPlaceholder}
          onChange={(event) => onChange({ openaiModel: event.target.value })}
          className="w-56"
        />
      )}
      {draft.planner === 'local' && (
        <>
          <Field
            label={words.localAddress}
            type="url"
            required
            value={draft.localAddress}
            onChange={(event) => onChange({ localAddress: event.target.value })}
            className="w-64"
          />
          <Field
            label={words.model}
            required
            value={draft.localModel}
            placeholder={words.localModelPlaceholder}
            onChange={(event) => onChange({ localModel: event.target.value })}
            className="w-56"
          />
        </>
      )}
      <Field
        label={words.maxSteps}
        type="number"
        required
        min={1}
        max={10_000}
        value={draft.maxSteps}
        onChange={(event) => onChange({ maxSteps: event.target.value })}
        className="w-24"
      />
      <Field
        label={words.maxMinutes}
        type="number"
        required
        min={1}
        max={1440}
        value={draft.maxMinutes}
        onChange={(event) => onChange({ maxMinutes: event.target.value })}
        className="w-24"
      />
      <label className="grid gap-1 text-xs text-muted">
        {words.approval}
        <select
          value={draft.approval}
          onChange={(event) => onChange({ approval: Draft.shape.approval.parse(event.target.value) })}
          className="h-8.5 rounded-md bg-raised px-2 text-sm text-ink ring-1 ring-line ring-inset"
        >
          {approvals.map((value) => (
            <option key={value} value={value}>
              {words.approvals[value]}
            </option>
          ))}
        </select>
      </label>
      <label className="flex h-8.5 items-center gap-2 text-sm">
        <input
          type="checkbox"
          checked={draft.keepMachine}
          onChange={(event) => onChange({ keepMachine: event.target.checked })}
          className="size-4 accent-lapis"
        />
        {words.keepMachine}
      </label>
    </div>
  )
}

function Field({ label, className = '', ...input }: InputHTMLAttributes<HTMLInputElement> & { label: string }) {
  return (
    <label className="grid gap-1 text-xs text-muted">
      {label}
      <input
        {...input}
        className={`h-8.5 rounded-md bg-raised px-2.5 text-sm text-ink ring-1 ring-line ring-inset placeholder:text-muted ${className}`}
      />
    </label>
  )
}
