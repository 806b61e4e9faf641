import { ArrowLeft, ArrowRight, Equal, type LucideIcon, TriangleAlert } from 'lucide-react'
import { describeAct } from '../../main/contract/action.ts'
import type { ComparedRow } from '../../main/contract/compare-traces.ts'
import type { Step } from '../../main/contract/task.ts'
import { Chip, type Tone } from '../parts/Chip.tsx'
import { noteOf } from '../replay/report.ts'
import { frameUrl } from '../state/engine.ts'
import { VerdictChip } from '../task/VerdictChip.tsx'
import { tracesText } from '../text/traces.ts'
import { text } from '../text.ts'
import { duration } from '../time/format.ts'
import type { Pair } from './pairs.ts'

const words = tracesText.compare
const looks: Record<ComparedRow['kind'], { tone: Tone; icon: LucideIcon }> = {
  same: { tone: 'plain', icon: Equal },
  differs: { tone: 'warn', icon: TriangleAlert },
  only_a: { tone: 'lapis', icon: ArrowLeft },
  only_b: { tone: 'lapis', icon: ArrowRight },
}

export const KindChip = ({ kind }: { kind: ComparedRow['kind'] }) => <Chip {...looks[kind]}>{words.kinds[kind]}</Chip>

/** The same step of both, and what came out otherwise. All of it is one button: it opens the row at full size. */
export function CompareRow({ pair: { row, a, b }, onOpen }: { pair: Pair; onOpen: () => void }) {
  const number = (step: Step | undefined) => (step ? step.index + 1 : null)
  return (
    <li className="task-row">
      <button
        type="button"
        title={words.look(number(a), number(b))}
        onClick={onOpen}
        className="grid w-full grid-cols-[minmax(0,1fr)_6.5rem_minmax(0,1fr)] gap-x-4 px-4 py-3 text-left -outline-offset-2 transition-colors hover:bg-ink/4 max-sm:grid-cols-1 max-sm:gap-y-3"
      >
        <Half step={a} />
        <span className="flex justify-center pt-px">
          <KindChip kind={row.kind} />
        </span>
        <Half step={b} />
        <Findings row={row} />
      </button>
    </li>
  )
}

function Half({ step }: { step: Step | undefined }) {
  if (!step)
    return (
      <span className="grid min-h-15 place-items-center rounded-md border border-dashed border-line px-3 text-sm text-muted">
        {words.absent}
      </span>
    )
  const frame = step.after ?? step.before
  return (
    <span className="flex min-w-0 gap-3">
      {frame ? (
        <img
          src={frameUrl(frame)}
          alt=""
          loading="lazy"
          width={96}
          height={60}
          className="h-15 w-24 shrink-0 rounded-sm bg-sunken object-cover ring-1 ring-line"
        />
      ) : (
        <span className="grid h-15 w-24 shrink-0 place-items-center rounded-sm bg-sunken text-xs text-muted">
          {text.inspector.noPicture}
        </span>
      )}
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-center justify-between gap-x-2 text-xs text-muted tabular-nums">
          <span>
            {text.task.step(step.index + 1)} · {duration(step.timing.totalMs)}
          </span>
          <VerdictChip verdict={step.verdict} />
        </span>
        <span className="line-clamp-2 text-sm font-medium wrap-anywhere">{step.thought}</span>
        <span className="line-clamp-1 text-sm wrap-anywhere text-muted">
          {step.actions.map(({ act }) => describeAct(act)).join(' · ')}
        </span>
      </span>
    </span>
  )
}

/** In words: what the engine found to differ, and in a replay what became of the recorded step. */
export function Findings({ row: { differences, replayed } }: { row: ComparedRow }) {
  const outcome = replayed && replayed.outcome !== 'agrees' ? replayed : undefined
  if (differences.length === 0 && !outcome) return null
  return (
    <span className="col-span-full mt-2 block space-y-0.5 rounded-md bg-warn-tint/60 px-3 py-1.5 text-sm wrap-anywhere">
      {outcome && (
        <span className="block">
          <span className="font-medium">{tracesText.replay.outcomes[outcome.outcome]}</span>
          {noteOf(outcome) && `: ${noteOf(outcome)}`}
        </span>
      )}
      {differences.map((difference) => (
        <span key={difference} className="block">
          {difference}
        </span>
      ))}
    </span>
  )
}
