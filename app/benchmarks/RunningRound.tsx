import { Square } from 'lucide-react'
import { useState } from 'react'
import type { BenchmarkRun } from '../../main/contract/benchmark.ts'
import { Button } from '../parts/Button.tsx'
import { ProgressBar } from '../parts/ProgressBar.tsx'
import { call } from '../state/engine.ts'
import { toastError } from '../state/toasts.ts'
import { text } from '../text.ts'
import { wholeDuration } from '../time/format.ts'
import { useNow } from '../time/useNow.ts'

const words = text.benchmarks

export function RunningRound({ run }: { run: BenchmarkRun }) {
  const now = useNow(1000)
  const [stopping, setStopping] = useState(false)
  if (run.state.kind !== 'running') return null
  const { progress } = run.state
  const name = words.running(words.kinds[run.kind].name)
  const stop = async () => {
    setStopping(true)
    await call('bench.cancel', { runId: run.id }).catch(toastError)
    setStopping(false)
  }
  return (
    <section aria-label={name} className="space-y-3 rounded-lg bg-surface p-4 shadow-card ring-1 ring-line">
      <div className="flex items-center gap-3">
        <div className="min-w-0 flex-1">
          <h2 className="font-medium">{name}</h2>
          <p className="truncate text-sm text-muted">
            <span aria-live="polite">{progress.step}</span>
            {' · '}
            {words.elapsed(wholeDuration(now - Date.parse(run.startedAt)))}
          </p>
        </div>
        <Button icon={Square} busy={stopping} onClick={() => void stop()}>
          {words.cancel}
        </Button>
      </div>
      <ProgressBar progress={progress} label={name} />
      <p className="text-sm text-muted">{words.runningDetail}</p>
    </section>
  )
}
