import { ChevronDown, GitFork } from 'lucide-react'
import { memo, useState } from 'react'
import { describeAct } from '../../main/contract/action.ts'
import type { Step } from '../../main/contract/task.ts'
import { Button } from '../parts/Button.tsx'
import { frameUrl } from '../state/engine.ts'
import { useStore } from '../state/store.ts'
import { stageText } from '../text/stage.ts'
import { text } from '../text.ts'
import { duration } from '../time/format.ts'
import { CheckList } from './CheckList.tsx'
import { costOf } from './cost.ts'
import { marksOf } from './marks.ts'
import { NoticeList } from './NoticeList.tsx'
import { usualSize } from './Picture.tsx'
import { VerdictChip } from './VerdictChip.tsx'

const mostActions = 3

type Props = {
  step: Step
  position: number
  count: number
  current: boolean
  measure: (row: HTMLElement | null) => (() => void) | undefined
  onOpen: (step: number) => void
  onHover: (position: number) => void
  onSeeWays: (step: Step) => void
}

export const StepRow = memo(function StepRow({ position, count, current, measure, onHover, ...content }: Props) {
  return (
    <li
      ref={measure}
      data-position={position}
      aria-posinset={position + 1}
      aria-setsize={count}
      onPointerEnter={() => onHover(position)}
      className={`relative border-b border-line px-4 py-3 transition-colors ${current ? 'bg-lapis-tint/60' : 'hover:bg-ink/3'}`}
    >
      <Content {...content} />
    </li>
  )
})

function Content({ step, onOpen, onSeeWays }: Pick<Props, 'step' | 'onOpen' | 'onSeeWays'>) {
  const picture = step.after ?? step.before
  const cost = costOf(step.usage)
  const number = step.index + 1
  const way = useStore((store) => store.branches[step.taskId]?.find(({ id }) => id === step.branchId))
  return (
    <>
      <button
        type="button"
        onClick={() => onOpen(step.index)}
        title={text.task.openStep(number)}
        className="flex w-full gap-3 rounded-md text-left"
      >
        {picture ? (
          <Thumbnail frame={picture} step={step} />
        ) : (
          <span className="grid h-15 w-24 shrink-0 place-items-center rounded-sm bg-sunken text-xs text-muted">
            {text.inspector.noPicture}
          </span>
        )}
        <span className="min-w-0 flex-1">
          <span className="flex items-baseline justify-between gap-2 text-xs text-muted tabular-nums">
            <span className="truncate">
              {text.task.step(number)}
              {way && ` · ${stageText.way(way.option + 1)}`}
              {step.by === 'person' && ` · ${stageText.byHand}`}
            </span>
            <span>
              {duration(step.timing.totalMs)}
              {cost && ` · ${cost}`}
            </span>
          </span>
          <span className="line-clamp-3 text-sm leading-4.75 font-medium wrap-anywhere">{step.thought}</span>
        </span>
      </button>
      {step.actions.length > 0 && (
        <ul className="mt-1.5 text-sm text-muted">
          {step.actions.slice(0, mostActions).map(({ act, result }, index) => (
            <li key={index} className={`truncate ${result.ok ? '' : 'text-fail'}`}>
              {describeAct(act)}
            </li>
          ))}
          {step.actions.length > mostActions && <li>+ {step.actions.length - mostActions}</li>}
        </ul>
      )}
      {step.notices && (
        <div className="mt-1.5">
          <NoticeList notices={step.notices} />
        </div>
      )}
      {step.actions.some(({ act }) => act.type === 'branch') && (
        <Button size="sm" icon={GitFork} className="mt-2 mr-2" onClick={() => onSeeWays(step)}>
          {stageText.arena.open}
        </Button>
      )}
      {step.checks.length > 0 ? (
        <Evidence step={step} />
      ) : (
        <div className="mt-2">
          <VerdictChip verdict={step.verdict} />
        </div>
      )}
    </>
  )
}

/** With a ring where the hand was, drawn large enough to be seen at this size. */
function Thumbnail({ frame, step }: { frame: string; step: Step }) {
  const touched = marksOf(step.actions.map(({ act }) => act)).map((mark) =>
    mark.kind === 'path' ? mark.points.at(-1) : mark.at,
  )
  return (
    <span className="relative block h-15 w-24 shrink-0 overflow-hidden rounded-sm bg-sunken ring-1 ring-line">
      <img
        src={frameUrl(frame)}
        alt=""
        loading="lazy"
        decoding="async"
        width={96}
        height={60}
        className="size-full object-cover"
      />
      {touched.length > 0 && (
        <svg
          viewBox={`0 0 ${usualSize.width} ${usualSize.height}`}
          preserveAspectRatio="xMidYMid slice"
          aria-hidden="true"
          className="absolute inset-0 size-full"
        >
          {touched.map(
            (at, index) =>
              at && (
                <circle
                  key={index}
                  cx={at.x}
                  cy={at.y}
                  r={62}
                  strokeWidth={30}
                  className="fill-none stroke-[oklch(0.85_0.16_82)]"
                />
              ),
          )}
        </svg>
      )}
    </span>
  )
}

/** Made when it is first opened: most never are. */
function Evidence({ step }: { step: Step }) {
  const [opened, setOpened] = useState(false)
  return (
    <details className="group mt-2" onToggle={() => setOpened(true)}>
      <summary className="inline-flex items-center gap-1.5 rounded-full text-xs text-muted hover:text-ink">
        <VerdictChip verdict={step.verdict} />
        {text.task.evidence(step.checks.length)}
        <ChevronDown size={13} aria-hidden="true" className="transition-transform group-open:rotate-180" />
      </summary>
      <div className="mt-2">{opened && <CheckList checks={step.checks} />}</div>
    </details>
  )
}
