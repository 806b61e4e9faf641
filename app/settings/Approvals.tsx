import type { Approval } from '../../main/contract/task.ts'
import { ErrorNote } from '../parts/ErrorNote.tsx'
import { text } from '../text.ts'
import { useSettings } from './useSettings.ts'

const words = text.settings.approvals
const modes = ['risky', 'always', 'never'] as const satisfies readonly Approval[]

export function Approvals() {
  const { inForce, error, save } = useSettings()
  const chosen = inForce?.settings.approval ?? 'risky'
  return (
    <>
      <p className="text-muted">{words.lead}</p>
      {error && <ErrorNote error={error} />}
      {inForce && (
        <fieldset className="divide-y divide-line rounded-lg bg-surface shadow-card ring-1 ring-line">
          <legend className="sr-only">{words.mode}</legend>
          {modes.map((mode) => (
            <label key={mode} className="flex items-start gap-3 px-4 py-3">
              <input
                type="radio"
                name="approval"
                checked={mode === chosen}
                onChange={() => void save({ approval: mode })}
                className="mt-1 size-4 accent-lapis"
              />
              <span>
                <span className="block font-medium">{words.modes[mode]}</span>
                <span className="block text-sm text-muted">{words.details[mode]}</span>
              </span>
            </label>
          ))}
        </fieldset>
      )}
    </>
  )
}
