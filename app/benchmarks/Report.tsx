import { Check, Minus, X } from 'lucide-react'
import type { BenchmarkReport, BenchmarkRun } from '../../main/contract/benchmark.ts'
import { Chip } from '../parts/Chip.tsx'
import { ErrorNote } from '../parts/ErrorNote.tsx'
import { text } from '../text.ts'
import { exactMoment } from '../time/format.ts'
import { FigureTable } from './FigureTable.tsx'

const words = text.benchmarks

/** One round: what was promised, what was measured, and where. */
export function Report({ run }: { run: BenchmarkRun }) {
  if (run.state.kind === 'failed') return <ErrorNote error={run.state.error} />
  if (run.state.kind !== 'done') return null
  const { report } = run.state
  const { host, machine } = report
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
        <span className="font-medium text-ink">{exactMoment(run.startedAt)}</span>
        <span>{words.host(host.system, host.cpus)}</span>
        {machine && <span>{words.machine(machine.qemu, machine.accelerator)}</span>}
        {report.quick && <Chip tone="plain">{words.quick}</Chip>}
        {host.loadBefore > host.cpus / 2 && (
          <span className="text-warn">{words.busyHost(host.loadBefore.toFixed(1))}</span>
        )}
      </p>
      <Promises promises={report.promises} />
      <FigureTable figures={report.figures} />
    </>
  )
}

type Promised = BenchmarkReport['promises'][number]

function Promises({ promises }: { promises: readonly Promised[] }) {
  if (promises.length === 0) return null
  const kept = promises.filter((promise) => promise.kept).length
  const known = promises.filter((promise) => promise.kept !== null).length
  return (
    <section aria-label={words.promises} className="space-y-2">
      <h2 className="flex items-baseline gap-3 text-lg font-semibold">
        {words.promises}
        <span className="text-sm font-normal text-muted">{words.promisesKept(kept, known)}</span>
      </h2>
      <ul className="divide-y divide-line rounded-lg bg-surface shadow-card ring-1 ring-line">
        {promises.map((promise) => (
          <li key={promise.text} className="flex items-center gap-3 px-4 py-2">
            <Mark kept={promise.kept} />
            <span className="min-w-0 flex-1">{promise.text}</span>
            <span className="text-sm text-muted tabular-nums">{promise.value}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Mark({ kept }: { kept: boolean | null }) {
  if (kept === null)
    return <Minus size={16} role="img" aria-label={words.promise.unknown} className="shrink-0 text-muted" />
  if (kept) return <Check size={16} role="img" aria-label={words.promise.kept} className="shrink-0 text-pass" />
  return <X size={16} role="img" aria-label={words.promise.broken} className="shrink-0 text-fail" />
}
