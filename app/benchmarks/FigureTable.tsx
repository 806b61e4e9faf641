import type { Figure } from '../../main/contract/benchmark.ts'
import { text } from '../text.ts'
import { amount } from './amount.ts'

const words = text.benchmarks
const columns = words.columns

export function FigureTable({ figures }: { figures: readonly Figure[] }) {
  const titles = new Map(figures.map(({ id, title }) => [id, title]))
  const cell = 'px-3 py-1.5 text-right whitespace-nowrap tabular-nums'
  return (
    <section aria-label={words.figures} className="space-y-2">
      <h2 className="text-lg font-semibold">{words.figures}</h2>
      <div className="overflow-hidden rounded-lg bg-surface shadow-card ring-1 ring-line">
        <table className="w-full text-sm">
          <thead className="text-muted">
            <tr className="border-b border-line">
              <th scope="col" className="px-4 py-2 text-left font-normal">
                {columns.what}
              </th>
              {[columns.median, columns.worst, columns.count, columns.instead, columns.ratio].map((name) => (
                <th key={name} scope="col" className="px-3 py-2 text-right font-normal">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {figures.map(({ id, title, unit, median, p95, count, against, baseline }) => (
              <tr key={id} className={baseline ? 'text-muted' : ''}>
                <th scope="row" className="px-4 py-1.5 text-left font-normal">
                  {title}
                  {baseline && <span className="ml-2 text-xs text-muted">{words.baseline}</span>}
                </th>
                <td className={`${cell} ${baseline ? '' : 'font-medium'}`}>{amount(median, unit)}</td>
                <td className={cell}>{p95 !== null && amount(p95, unit)}</td>
                <td className={cell}>{count}</td>
                <td className={cell} title={against ? titles.get(against.id) : undefined}>
                  {against && amount(against.median, unit)}
                </td>
                <td className={`${cell} ${against && against.ratio >= 1 ? 'text-pass' : ''}`}>
                  {against && words.ratio(against.ratio)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
