import { ArrowDown } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Step, Task } from '../../main/contract/task.ts'
import { Button } from '../parts/Button.tsx'
import { isOver } from '../state/world.ts'
import { text } from '../text.ts'
import { StepRow } from './StepRow.tsx'
import { useRowWindow } from './useRowWindow.ts'

type Props = {
  task: Task
  steps: readonly Step[]
  fetched: boolean
  shown: number | null // position on the timeline
  onOpen: (step: number) => void
  onHover: (position: number | null) => void
  onSeeWays: (step: Step) => void
}

/** Follows the newest step as long as the person has not scrolled away to read. */
export function StepList({ task, steps, fetched, shown, onOpen, onHover, onSeeWays }: Props) {
  const place = useRef<HTMLElement>(null)
  const [following, setFollowing] = useState(true)
  const rows = useRowWindow(place, steps.length)
  const { bringIntoSight } = rows
  const toEnd = () => {
    const element = place.current
    if (element) element.scrollTop = element.scrollHeight
  }
  useEffect(() => {
    if (following && !isOver(task)) toEnd()
  }, [steps.length, following, task.state])
  useEffect(() => {
    if (shown !== null) bringIntoSight(shown)
  }, [shown, bringIntoSight])
  const scrolled = () => {
    const element = place.current
    rows.update()
    if (element) setFollowing(element.scrollHeight - element.scrollTop - element.clientHeight < 48)
  }
  return (
    <div className="relative h-full min-h-0">
      <section
        ref={place}
        aria-label={text.task.steps}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        onScroll={scrolled}
        onPointerLeave={() => onHover(null)}
        className="h-full overflow-y-auto -outline-offset-2"
      >
        {steps.length === 0 ? (
          <p className="p-5 text-sm text-muted">
            {!fetched ? text.common.loading : isOver(task) ? text.task.noStepsOver : text.task.noSteps}
          </p>
        ) : (
          <ol style={{ paddingTop: rows.shown.above, paddingBottom: rows.shown.below }}>
            {steps.slice(rows.shown.from, rows.shown.to).map((step, index) => (
              <StepRow
                key={step.index}
                step={step}
                position={rows.shown.from + index}
                count={steps.length}
                current={shown === rows.shown.from + index}
                measure={rows.measure}
                onOpen={onOpen}
                onHover={onHover}
                onSeeWays={onSeeWays}
              />
            ))}
          </ol>
        )}
      </section>
      {!following && !isOver(task) && (
        <Button size="sm" icon={ArrowDown} onClick={toEnd} className="absolute bottom-3 left-1/2 -translate-x-1/2">
          {text.task.newSteps}
        </Button>
      )}
    </div>
  )
}
