import { Plus, X } from 'lucide-react'
import { Button, IconButton } from '../parts/Button.tsx'
import { Choice } from '../parts/Choice.tsx'
import { tracesText } from '../text/traces.ts'
import type { Words } from './draft.ts'

const labels = tracesText.redact
const matches = (['text', 'regex'] as const).map((value) => ({ value, label: labels.matches[value] }))
const field =
  'h-8.5 min-w-0 rounded-md bg-raised px-2.5 text-sm ring-1 ring-line ring-inset placeholder:text-muted hover:ring-edge'

type Props = { words: readonly Words[]; onChange: (words: readonly Words[]) => void; onAdd: () => void }

/** What must not be read, wherever it stands, and what stands there instead. */
export function WordsList({ words, onChange, onAdd }: Props) {
  const set = (id: number, part: Partial<Words>) =>
    onChange(words.map((one) => (one.id === id ? { ...one, ...part } : one)))
  return (
    <section aria-label={labels.patterns} className="space-y-2">
      <div>
        <h3 className="font-medium">{labels.patterns}</h3>
        <p className="text-sm text-muted">{labels.patternsLead}</p>
      </div>
      {words.map((one, index) => (
        <div key={one.id} className="grid grid-cols-[minmax(0,1fr)_auto] gap-1.5 rounded-md p-2.5 ring-1 ring-line">
          <input
            // biome-ignore lint/a11y/noAutofocus: it appears because the person asked for it
            autoFocus={one.text === ''}
            aria-label={labels.pattern(index + 1)}
            value={one.text}
            maxLength={1000}
            spellCheck={false}
            placeholder={one.match === 'text' ? labels.patternPlaceholder : labels.regexPlaceholder}
            onChange={(event) => set(one.id, { text: event.target.value })}
            className={`${field} ${one.match === 'regex' ? 'font-mono' : ''}`}
          />
          <IconButton
            icon={X}
            label={labels.removePattern(index + 1)}
            onClick={() => onChange(words.filter(({ id }) => id !== one.id))}
          />
          <div className="col-span-2 flex gap-1.5">
            <Choice
              label={labels.match}
              value={one.match}
              options={matches}
              onChange={(match) => set(one.id, { match })}
            />
            <input
              aria-label={labels.replacement(index + 1)}
              title={labels.replacementTitle}
              value={one.replacement}
              maxLength={100}
              spellCheck={false}
              onChange={(event) => set(one.id, { replacement: event.target.value })}
              className={`${field} h-9! flex-1`}
            />
          </div>
        </div>
      ))}
      <Button size="sm" icon={Plus} onClick={onAdd}>
        {labels.addPattern}
      </Button>
    </section>
  )
}
