import { LibraryBig, SearchX, Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button } from '../parts/Button.tsx'
import { EmptyState } from '../parts/EmptyState.tsx'
import { ErrorNote } from '../parts/ErrorNote.tsx'
import { Page } from '../parts/Page.tsx'
import { text } from '../text.ts'
import { bytes } from '../time/format.ts'
import { useNow } from '../time/useNow.ts'
import { type Filters, isFiltered, noFilters } from './filters.ts'
import { LibraryFilters } from './LibraryFilters.tsx'
import { TraceRow } from './TraceRow.tsx'
import { useFacets } from './useFacets.ts'
import { useImport } from './useImport.ts'
import { useTraces } from './useTraces.ts'

const words = text.library

export function Library() {
  const [filters, setFilters] = useState<Filters>(noFilters)
  const { entries, next, error, more, refresh } = useTraces(filters)
  const { facets, use } = useFacets(entries)
  const { busy, over, take, target } = useImport()
  const file = useRef<HTMLInputElement>(null)
  const now = useNow(30_000)
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
        <LibraryFilters
          filters={filters}
          facets={facets}
          onChange={(part) => setFilters((old) => ({ ...old, ...part }))}
        />
        {error && <ErrorNote error={error} />}
        {entries === null ? (
          !error && <p className="text-muted">{text.common.loading}</p>
        ) : entries.length === 0 ? (
          isFiltered(filters) ? (
            <EmptyState icon={SearchX} {...words.noneFound}>
              <Button onClick={() => setFilters(noFilters)}>{words.clear}</Button>
            </EmptyState>
          ) : (
            <EmptyState icon={LibraryBig} {...words.none} />
          )
        ) : (
          <ul className="divide-y divide-line rounded-lg bg-surface shadow-card ring-1 ring-line">
            {entries.map((entry) => (
              <TraceRow key={entry.task.id} entry={entry} now={now} onGone={refresh} />
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
      </Page>
      {over && (
        <p className="pointer-events-none absolute inset-4 grid place-items-center rounded-lg border-2 border-dashed border-gold bg-paper/90 text-lg font-semibold">
          {words.drop}
        </p>
      )}
    </div>
  )
}
