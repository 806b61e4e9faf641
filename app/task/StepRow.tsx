import { ChevronDown } from 'lucide-react'
import { memo, useRef, useState } from 'react'
import { describeAct } from '../../main/contract/action.ts'
import type { Step } from '../../main/contract/task.ts'
import { frameUrl } from '../state/engine.ts'
import { text } from '../text.ts'
import { duration } from '../time/format.ts'
import { CheckList } from './CheckList.tsx'
import { useNearby } from './useNearby.ts'
import { VerdictChip } from './VerdictChip.tsx'

const mostActions = 3

type Props = { step: Step; position: number; current: boolean; atOnce: boolean; onOpen: (step: number) => void }

/** A row far from view is only its words (search in the page still finds them); the rest comes when it gets near. */
export const StepRow = memo(function StepRow({ step, position, current, atOnce, onOpen }: Props) {
  const place = useRef<HTMLLIElement>(null)
  const near = useNearby(place, atOnce)
  return (
    <li
      ref={place}
      data-position={position}
      className={`step-row relative border-b border-line px-4 py-3 transition-colors ${current ? 'bg-lapis-tint/60' : 'hover:bg-ink/3'}`}
    >
      {near ? <Content step={step} onOpen={onOpen} /> : `${text.task.step(step.index + 1)}: ${step.thought}`}
    </li>
  )
})

function Content({ step, onOpen }: Pick<Props, 'step' | 'onOpen'>) {
  const picture = step.after ?? step.before
  const number = step.index + 1
  return (
    <>
      <button
        type="button"
        onClick={() => onOpen(step.index)}
        title={text.task.openStep(number)}
        className="flex w-full gap-3 rounded-md text-left"
      >
        {picture ? (
          <img
            src={frameUrl(picture)}
            alt=""
            loading="lazy"
            decoding="async"
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
          <span className="flex items-baseline justify-between gap-2 text-xs text-muted tabular-nums">
            <span>{text.task.step(number)}</span>
            <span>{duration(step.timing.totalMs)}</span>
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
