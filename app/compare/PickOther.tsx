import { SearchX } from 'lucide-react'
import { useMemo, useState } from 'react'
import { noFilters } from '../library/filters.ts'
import { useTraces } from '../library/useTraces.ts'
import { Button } from '../parts/Button.tsx'
import { EmptyState } from '../parts/EmptyState.tsx'
import { ErrorNote } from '../parts/ErrorNote.tsx'
import { Field } from '../parts/Field.tsx'
import { Page } from '../parts/Page.tsx'
import { Link } from '../route/Link.tsx'
import { TaskChip } from '../task/TaskChip.tsx'
import { useTaskDetail } from '../task/useTaskDetail.ts'
import { tracesText } from '../text/traces.ts'
import { text } from '../text.ts'
import { ago } from '../time/format.ts'
import { useNow } from '../time/useNow.ts'

const words = tracesText.compare

/** The other half of a comparison is still to be chosen. */
export function PickOther({ a }: { a: string }) {
  const [typed, setTyped] = useState('')
  const filters = useMemo(() => ({ ...noFilters, words: typed }), [typed])
  const { task, error: missing } = useTaskDetail(a)
  const { entries, next, error, more } = useTraces(filters)
  const now = useNow(30_000)
  const others = entries?.filter((entry) => entry.task.id !== a)
  return (
    <Page title={words.chooseTitle} {...(task && { lead: words.chooseLead(task.goal) })}>
      {missing && <ErrorNote error={missing} />}
      {error && <ErrorNote error={error} />}
      <Field
        label={words.chooseSearch}
        type="search"
        value={typed}
        maxLength={500}
        placeholder={text.library.searchPlaceholder}
        onChange={(event) => setTyped(event.target.value)}
      />
      {!others ? (
        !error && <p className="text-muted">{text.common.loading}</p>
      ) : others.length === 0 ? (
        <EmptyState icon={SearchX} {...words.noOther} />
      ) : (
        <ul className="divide-y divide-line rounded-lg bg-surface shadow-card ring-1 ring-line">
          {others.map(({ task: other }) => (
            <li key={other.id} className="transition-colors hover:bg-ink/4">
              <Link
                to={{ screen: 'compare', a, b: other.id }}
                className="flex items-start gap-4 px-4 py-3 -outline-offset-2"
              >
                <span className="w-27 shrink-0 pt-px">
                  <TaskChip task={other} />
                </span>
                <span className="min-w-0 flex-1">
                  <span className="line-clamp-2 font-medium wrap-anywhere">{other.goal}</span>
                  <span className="block text-sm text-muted">
                    {other.planner} · {text.common.steps(other.stepCount)}
                  </span>
                </span>
                <span className="shrink-0 text-sm text-muted">{ago(other.createdAt, now)}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {next !== null && (
        <div className="text-center">
          <Button onClick={more}>{text.library.more}</Button>
        </div>
      )}
    </Page>
  )
}
