import type { TraceComparison } from '../../main/contract/compare-traces.ts'
import { replayOf } from '../replay/report.ts'
import { Link } from '../route/Link.tsx'
import { TaskChip } from '../task/TaskChip.tsx'
import { tracesText } from '../text/traces.ts'
import { factsOf } from './facts.ts'

const words = tracesText.compare

/** Goal, verdict, cost and time of both, line by line; what differs stands out. */
export function CompareFacts({ compared }: { compared: TraceComparison }) {
  const { a, b } = compared
  const facts = factsOf(compared)
  const sides = [
    { key: 'a', name: words.first, task: a.task },
    { key: 'b', name: words.second, task: b.task },
  ] as const
  return (
    <section className="rounded-lg bg-surface shadow-card ring-1 ring-line">
      <table className="w-full table-fixed border-collapse text-left">
        <caption className="sr-only">{words.facts}</caption>
        <colgroup>
          <col className="w-32" />
          <col />
          <col />
        </colgroup>
        <thead>
          <tr className="align-top">
            <th scope="col" className="px-4 py-3 text-sm font-normal text-muted">
              <span className="sr-only">{words.fact}</span>
            </th>
            {sides.map(({ key, name, task }) => (
              <th key={key} scope="col" className="px-4 py-3 font-normal">
                <span className="block text-sm text-muted">{name}</span>
                <Link
                  to={{ screen: 'task', taskId: task.id, step: null }}
                  className="line-clamp-3 font-semibold wrap-anywhere hover:underline"
                >
                  {task.goal}
                </Link>
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line border-t border-line text-sm">
          {facts.map((fact) => (
            <tr key={fact.name} className={`align-top ${fact.differs ? 'bg-warn-tint/50' : ''}`}>
              <th scope="row" className="px-4 py-1.5 font-normal text-muted">
                {fact.name}
              </th>
              {sides.map(({ key, task }) => (
                <td key={key} className={`px-4 py-1.5 wrap-anywhere tabular-nums ${fact.differs ? 'font-medium' : ''}`}>
                  {fact.name === words.rows.ended ? <TaskChip task={task} /> : fact[key]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {replayOf(b.task.planner) === a.task.id && (
        <p className="border-t border-line px-4 py-2 text-sm text-muted">{words.isReplay}</p>
      )}
    </section>
  )
}
