import { Trash2 } from 'lucide-react'
import type { BenchmarkRun } from '../../main/contract/benchmark.ts'
import { IconButton } from '../parts/Button.tsx'
import { Chip } from '../parts/Chip.tsx'
import { Link } from '../route/Link.tsx'
import { navigate } from '../route/navigation.ts'
import { call } from '../state/engine.ts'
import { toast, toastError } from '../state/toasts.ts'
import { text } from '../text.ts'
import { ago, exactMoment } from '../time/format.ts'
import { useNow } from '../time/useNow.ts'

const words = text.benchmarks

type Props = { rounds: readonly BenchmarkRun[]; openId: string; onRemoved: (id: string) => void }

export function Rounds({ rounds, openId, onRemoved }: Props) {
  const now = useNow(60_000)
  const remove = async (runId: string) => {
    try {
      await call('bench.remove', { runId })
      onRemoved(runId)
      if (runId === openId) navigate({ screen: 'benchmarks', run: null }, { replace: true })
      toast(words.removed)
    } catch (thrown) {
      toastError(thrown)
    }
  }
  return (
    <section aria-label={words.runs} className="space-y-2">
      <h2 className="text-lg font-semibold">{words.runs}</h2>
      <ul className="divide-y divide-line rounded-lg bg-surface shadow-card ring-1 ring-line">
        {rounds.map(({ id, startedAt, state, quick }) => (
          <li key={id} className="flex items-center gap-3 pr-2">
            <Link
              to={{ screen: 'benchmarks', run: id }}
              aria-current={id === openId ? 'true' : undefined}
              className={`flex min-w-0 flex-1 items-center gap-3 rounded-md px-4 py-2 hover:bg-ink/4 ${id === openId ? 'font-medium' : ''}`}
            >
              <span title={exactMoment(startedAt)}>{ago(startedAt, now)}</span>
              {quick && <Chip tone="plain">{words.quick}</Chip>}
              {state.kind === 'failed' && <Chip tone="fail">{words.failed}</Chip>}
              {state.kind === 'done' && (
                <span className="text-sm font-normal text-muted">
                  {words.promisesKept(
                    state.report.promises.filter(({ kept }) => kept).length,
                    state.report.promises.filter(({ kept }) => kept !== null).length,
                  )}
                </span>
              )}
            </Link>
            <IconButton icon={Trash2} size="sm" label={words.remove} onClick={() => void remove(id)} />
          </li>
        ))}
      </ul>
    </section>
  )
}
