import { ErrorNote } from '../parts/ErrorNote.tsx'
import { tracesText } from '../text/traces.ts'
import { bytes } from '../time/format.ts'
import { Card } from './Card.tsx'
import { Retention } from './Retention.tsx'
import { useAsked } from './useAsked.ts'

const words = tracesText.storage

/** What traces take on disk, and how long they stay there. */
export function TraceStorage() {
  const { answer: use, error, ask } = useAsked('trace.diskUse', {})
  const rows = use && [
    { name: words.kinds.frames, count: use.frames.count, bytes: use.frames.bytes },
    { name: words.kinds.unused, count: use.unused.count, bytes: use.unused.bytes },
    { name: words.kinds.snapshots, count: use.snapshots.count, bytes: use.snapshots.bytes },
    { name: words.kinds.database, count: null, bytes: use.databaseBytes },
  ]
  return (
    <>
      <h3 className="pt-3 text-lg font-semibold">{words.traces}</h3>
      {error && <ErrorNote error={error} />}
      {use && rows && (
        <Card title={words.use} detail={words.tracesAndSteps(use.traces, use.steps)}>
          <table className="w-full border-collapse text-left text-sm">
            <thead className="text-xs text-muted">
              <tr>
                <th scope="col" className="py-1 font-normal">
                  {words.what}
                </th>
                <th scope="col" className="py-1 text-right font-normal">
                  {words.howMany}
                </th>
                <th scope="col" className="py-1 text-right font-normal">
                  {words.size}
                </th>
              </tr>
            </thead>
            <tbody className="divide-y divide-line border-t border-line">
              {rows.map((row) => (
                <tr key={row.name}>
                  <th
                    scope="row"
                    className={`py-1.5 font-normal ${row.name === words.kinds.unused ? 'pl-4 text-muted' : ''}`}
                  >
                    {row.name}
                  </th>
                  <td className="py-1.5 text-right tabular-nums">
                    {row.count === null ? '' : words.amount(row.count)}
                  </td>
                  <td className="py-1.5 text-right tabular-nums">{bytes(row.bytes)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Card>
      )}
      <Retention unusedBytes={use?.unused.bytes ?? 0} onFreed={() => void ask()} />
    </>
  )
}
