import { LibraryBig, SearchX, Upload } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import type { TraceEntry } from '../../main/contract/trace.ts'
import { Button } from '../parts/Button.tsx'
import { EmptyState } from '../parts/EmptyState.tsx'
import { ErrorNote } from '../parts/ErrorNote.tsx'
import { Page } from '../parts/Page.tsx'
import { navigate } from '../route/navigation.ts'
import { text } from '../text.ts'
import { bytes } from '../time/format.ts'
import { useNow } from '../time/useNow.ts'
import { ChosenBar } from './ChosenBar.tsx'
import { type Filters, isFiltered, noFilters } from './filters.ts'
import { LibraryFilters } from './LibraryFilters.tsx'
import { TraceRow } from './TraceRow.tsx'
import { useFacets } from './useFacets.ts'
import { useImport } from './useImport.ts'
import { useTraces } from './useTraces.ts'

const words = text.library

/** Two can be compared; who chooses a third means it instead of the one chosen first. */
const most = 2

export function Library({ filters: narrowed }: { filters?: Partial<Filters> | undefined }) {
  const filters = useMemo(() => ({ ...noFilters, ...narrowed }), [narrowed])
  const narrow = (part: Partial<Filters>) =>
    navigate({ screen: 'library', filters: { ...filters, ...part } }, { replace: true })
  const { entries, next, error, more, refresh } = useTraces(filters)
  const { facets, use } = useFacets(entries)
  const { busy, over, take, target } = useImport()
  const [chosen, setChosen] = useState<readonly TraceEntry[]>([])
  const file = useRef<HTMLInputElement>(null)
  const now = useNow(30_000)
  const choose = (entry: TraceEntry, on: boolean) =>
    setChosen((old) => {
      const others = old.filter(({ task }) => task.id !== entry.task.id)
      return on ? [...others, entry].slice(-most) : others
    })
  const button = (
    <>
      <input
        ref={file}
        type="file"
        accept=".ghtrace"
        hidden
        onChange={(event) => {
          void take(event.target.files)
          event.target.value = ''
        }}
      />
      <Button icon={Upload} busy={busy} onClick={() => file.current?.click()}>
        {busy ? words.importing : words.import}
      </Button>
    </>
  )
  return (
    <div role="presentation" className="relative h-full" {...target}>
      <Page title={words.title} lead={words.lead} actions={button}>
        <LibraryFilters filters={filters} facets={facets} onChange={narrow} />
        {error && <ErrorNote error={error} />}
        {entries === null ? (
          !error && <p className="text-muted">{text.common.loading}</p>
        ) : entries.length === 0 ? (
          isFiltered(filters) ? (
            <EmptyState icon={SearchX} {...words.noneFound}>
              <Button onClick={() => narrow(noFilters)}>{words.clear}</Button>
            </EmptyState>
          ) : (
            <EmptyState icon={LibraryBig} {...words.none} />
          )
        ) : (
          <ul className="divide-y divide-line rounded-lg bg-surface shadow-card ring-1 ring-line">
            {entries.map((entry) => (
              <TraceRow
                key={entry.task.id}
                entry={entry}
                now={now}
                knownTags={facets.tags}
                chosen={chosen.some(({ task }) => task.id === entry.task.id)}
                onChoose={(on) => choose(entry, on)}
                onTag={(tag) => narrow({ tag })}
                onChange={refresh}
                onGone={() => {
                  choose(entry, false)
                  void refresh()
                }}
              />
            ))}
          </ul>
        )}
        {use && (
          <p className="text-sm text-muted">
            {words.use(use.traces, bytes(use.frames.bytes), bytes(use.snapshots.bytes))}
          </p>
        )}
        {next !== null && (
          <div className="text-center">
            <Button onClick={more}>{words.more}</Button>
          </div>
        )}
        {chosen.length > 0 && <ChosenBar chosen={chosen} onClear={() => setChosen([])} />}
      </Page>
      {over && (
        <p className="pointer-events-none absolute inset-4 grid place-items-center rounded-lg border-2 border-dashed border-gold bg-paper/90 text-lg font-semibold">
          {words.drop}
        </p>
      )}
    </div>
  )
}
