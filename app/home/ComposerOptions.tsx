import { Approval } from '../../main/contract/task.ts'
import { Field } from '../parts/Field.tsx'
import { text } from '../text.ts'
import { Draft } from './draft.ts'
import { ModelField } from './ModelField.tsx'

const words = text.home
const approvals = ['usual', ...Approval.options] as const

type Props = { id: string; draft: Draft; usualSites: string; onChange: (part: Partial<Draft>) => void }

export function ComposerOptions({ id, draft, usualSites, onChange }: Props) {
  return (
    <div id={id} className="flex flex-wrap items-end gap-x-5 gap-y-3 border-t border-line px-4.5 py-3.5">
      {draft.planner === 'anthropic' && (
        <ModelField
          kind="anthropic"
          value={draft.model}
          placeholder={words.modelPlaceholder}
          onChange={(model) => onChange({ model })}
        />
      )}
      {draft.planner === 'openai' && (
        <ModelField
          kind="openai"
          value={draft.openaiModel}
          placeholder={words.modelPlaceholder}
          onChange={(openaiModel) => onChange({ openaiModel })}
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
          <ModelField
            kind="local"
            required
            address={draft.localAddress}
            value={draft.localModel}
            placeholder={words.localModelPlaceholder}
            onChange={(localModel) => onChange({ localModel })}
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
      <Field
        label={words.maxUsd}
        type="number"
        min={0.01}
        step="any"
        value={draft.maxUsd}
        placeholder={words.noLimit}
        onChange={(event) => onChange({ maxUsd: event.target.value })}
        className="w-24"
      />
      <Field
        label={words.allow}
        value={draft.allow ?? usualSites}
        placeholder={words.allowPlaceholder}
        onChange={(event) => onChange({ allow: event.target.value })}
        className="w-72"
      />
      <Field
        label={words.domains}
        value={draft.domains}
        placeholder={words.domainsPlaceholder}
        onChange={(event) => onChange({ domains: event.target.value })}
        className="w-56"
      />
      <Field
        label={words.paths}
        value={draft.paths}
        placeholder={words.pathsPlaceholder}
        onChange={(event) => onChange({ paths: event.target.value })}
        className="w-56"
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
