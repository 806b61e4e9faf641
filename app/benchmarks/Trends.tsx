import type { BenchmarkKind, BenchmarkRun } from '../../main/contract/benchmark.ts'
import { text } from '../text.ts'
import { amount } from './amount.ts'
import { draw, type Trend, trendsOf } from './trends.ts'

const words = text.benchmarks
const box = { width: 260, height: 72 }
const margin = 6

/** A small picture for each figure. */
export function Trends({ rounds, kind }: { rounds: readonly BenchmarkRun[]; kind: BenchmarkKind }) {
  const trends = trendsOf(rounds, kind)
  if (trends.length === 0) return null
  return (
    <section aria-label={words.trends} className="space-y-2">
      <h2 className="flex items-baseline gap-3 text-lg font-semibold">
        {words.trends}
        <span className="text-sm font-normal text-muted">{words.trendsHint}</span>
      </h2>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(16rem,1fr))] gap-3">
        {trends.map((trend) => (
          <Chart key={trend.id} trend={trend} />
        ))}
      </ul>
    </section>
  )
}

function Chart({ trend: { title, unit, goal, points } }: { trend: Trend }) {
  const { points: places, goalY } = draw(
    points.map(({ value }) => value),
    goal,
    box,
  )
  const last = points.at(-1)
  const first = points[0]
  if (!last || !first) return null
  const line = places.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')
  return (
    <li className="space-y-2 rounded-lg bg-surface p-3 shadow-card ring-1 ring-line">
      <div className="flex items-baseline justify-between gap-3">
        <h3 className="min-w-0 truncate text-sm text-muted" title={title}>
          {title}
        </h3>
        <span className="shrink-0 font-medium tabular-nums">{amount(last.value, unit)}</span>
      </div>
      <svg
        viewBox={`${-margin} ${-margin} ${box.width + 2 * margin} ${box.height + 2 * margin}`}
        role="img"
        aria-label={words.trend(title, amount(first.value, unit), amount(last.value, unit), points.length)}
        className="w-full"
      >
        <line x1={0} x2={box.width} y1={box.height} y2={box.height} className="stroke-line" />
        {goalY !== null && goal !== null && (
          <g>
            <line x1={0} x2={box.width} y1={goalY} y2={goalY} className="stroke-gold" strokeDasharray="3 4" />
            <text x={box.width} y={goalY - 4} textAnchor="end" className="fill-muted text-[10px]">
              {words.goal(amount(goal, unit))}
            </text>
          </g>
        )}
        <polyline points={line} fill="none" className="stroke-lapis" strokeWidth={2} strokeLinejoin="round" />
        {places.map(({ x, y }, index) => (
          <circle
            key={points[index]?.runId}
            cx={x}
            cy={y}
            r={3.5}
            className={points[index]?.quick ? 'fill-surface stroke-lapis' : 'fill-lapis stroke-surface'}
            strokeWidth={1.5}
          />
        ))}
      </svg>
    </li>
  )
}
