import { Gauge } from 'lucide-react'
import { useState } from 'react'
import type { BenchmarkKind, BenchmarkRun } from '../../main/contract/benchmark.ts'
import { Button } from '../parts/Button.tsx'
import { EmptyState } from '../parts/EmptyState.tsx'
import { Page } from '../parts/Page.tsx'
import { Segmented } from '../parts/Segmented.tsx'
import { call } from '../state/engine.ts'
import { toastError } from '../state/toasts.ts'
import { text } from '../text.ts'
import { Report } from './Report.tsx'
import { Rounds } from './Rounds.tsx'
import { RunningRound } from './RunningRound.tsx'
import { Trends } from './Trends.tsx'
import { useBenchmarks } from './useBenchmarks.ts'

const words = text.benchmarks

export function Benchmarks({ runId }: { runId: string | null }) {
  const all = useBenchmarks()
  const [chosen, setKind] = useState<BenchmarkKind>('perf')
  if (!all)
    return (
      <Page title={words.title} lead={words.lead}>
        <p className="text-muted">{words.loading}</p>
      </Page>
    )
  const kind = all.available.includes(chosen) ? chosen : (all.available[0] ?? 'perf')
  const running = all.runs.find(({ state }) => state.kind === 'running')
  const rounds = all.runs.filter((run) => run.kind === kind && run.state.kind !== 'running')
  const open = rounds.find(({ id }) => id === runId) ?? rounds[0]
  const startable = all.available.length > 0
  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={startable && <StartButtons kind={kind} disabled={running !== undefined} />}
    >
      {all.available.length > 1 && (
        <Segmented
          label={words.kind}
          value={kind}
          options={all.available.map((value) => ({ value, label: words.kinds[value].name }))}
          onChange={setKind}
        />
      )}
      {running && <RunningRound run={running} />}
      {open ? (
        <Shown open={open} rounds={rounds} kind={kind} forget={all.forget} />
      ) : (
        !running && <EmptyState icon={Gauge} {...(startable ? words.none : words.unavailable)} />
      )}
    </Page>
  )
}

function StartButtons({ kind, disabled }: { kind: BenchmarkKind; disabled: boolean }) {
  const start = (quick: boolean) => call('bench.start', { kind, quick }).catch(toastError)
  return (
    <>
      <Button title={words.startQuickDetail} disabled={disabled} onClick={() => void start(true)}>
        {words.startQuick}
      </Button>
      <Button look="primary" icon={Gauge} disabled={disabled} onClick={() => void start(false)}>
        {words.start}
      </Button>
    </>
  )
}

type ShownProps = { open: BenchmarkRun; rounds: BenchmarkRun[]; kind: BenchmarkKind; forget: (id: string) => void }

function Shown({ open, rounds, kind, forget }: ShownProps) {
  return (
    <>
      <Report run={open} />
      <Trends rounds={rounds} kind={kind} />
      <Rounds rounds={rounds} openId={open.id} onRemoved={forget} />
    </>
  )
}
