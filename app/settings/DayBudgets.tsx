import { useEffect, useState } from 'react'
import { DayLimits } from '../../main/contract/day-budget.ts'
import { totalTokens } from '../../main/contract/usage.ts'
import { Button } from '../parts/Button.tsx'
import { ErrorNote } from '../parts/ErrorNote.tsx'
import { Field } from '../parts/Field.tsx'
import { call } from '../state/engine.ts'
import { text } from '../text.ts'
import { wholeDuration } from '../time/format.ts'
import { useAsked } from './useAsked.ts'
import { useBusy } from './useBusy.ts'

const words = text.settings.budget
const fields = ['maxSteps', 'maxMinutes', 'maxTokens', 'maxUsd'] as const
type Typed = Record<(typeof fields)[number], string>

export function DayBudgets() {
  const { answer, setAnswer, error } = useAsked('budget.day.get', {})
  const { busy, during } = useBusy()
  const [typed, setTyped] = useState<Typed>({ maxSteps: '', maxMinutes: '', maxTokens: '', maxUsd: '' })
  useEffect(() => {
    if (!answer) return
    const { maxSteps, maxMinutes, maxTokens, maxUsd } = answer.limits
    const asTyped = (limit: number | undefined) => (limit === undefined ? '' : String(limit))
    setTyped({
      maxSteps: asTyped(maxSteps),
      maxMinutes: asTyped(maxMinutes),
      maxTokens: asTyped(maxTokens),
      maxUsd: asTyped(maxUsd),
    })
  }, [answer])
  const save = async () => {
    const given = fields.flatMap((field) => (typed[field] === '' ? [] : [[field, Number(typed[field])] as const]))
    const next = await during(
      () => call('budget.day.set', DayLimits.parse(Object.fromEntries(given))),
      () => text.settings.saved,
    )
    if (next) setAnswer(next)
  }
  return (
    <>
      <p className="text-muted">{words.lead}</p>
      {error && <ErrorNote error={error} />}
      <form
        className="flex flex-wrap items-end gap-3 rounded-lg bg-surface p-4 shadow-card ring-1 ring-line"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        {fields.map((field) => (
          <Field
            key={field}
            label={words[field]}
            type="number"
            min={field === 'maxUsd' ? 0.01 : 1}
            step={field === 'maxUsd' ? 'any' : 1}
            value={typed[field]}
            placeholder={text.home.noLimit}
            onChange={(event) => setTyped({ ...typed, [field]: event.target.value })}
            className="w-28"
          />
        ))}
        <Button type="submit" look="primary" busy={busy} disabled={!answer}>
          {text.settings.save}
        </Button>
      </form>
      {answer && (
        <p className="text-sm">
          <span className="text-muted">{words.today}: </span>
          {words.spent(
            text.common.steps(answer.spent.steps),
            wholeDuration(answer.spent.elapsedMs),
            totalTokens(answer.spent.usage).toLocaleString('en'),
            answer.spent.usage.usd === null ? words.unpriced : `$${answer.spent.usage.usd.toFixed(2)}`,
          )}
        </p>
      )}
    </>
  )
}
