import { ArrowDown } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Step, Task } from '../../main/contract/task.ts'
import { Button } from '../parts/Button.tsx'
import { isOver } from '../state/world.ts'
import { text } from '../text.ts'
import { StepRow } from './StepRow.tsx'

/** Rows at either end that are drawn without waiting to be seen: enough for any window. */
const inSight = 15

type Props = {
  task: Task
  steps: readonly Step[]
  fetched: boolean
  shown: number | null // position on the timeline
  onOpen: (step: number) => void
}

/** Follows the newest step as long as the person has not scrolled away to read. */
export function StepList({ task, steps, fetched, shown, onOpen }: Props) {
  const place = useRef<HTMLElement>(null)
  const [following, setFollowing] = useState(true)
  const toEnd = () => {
    const element = place.current
    if (element) element.scrollTop = element.scrollHeight
  }
  useEffect(() => {
    if (following && !isOver(task)) toEnd()
  }, [steps.length, following, task.state])
  useEffect(() => {
    if (shown !== null) place.current?.querySelector(`[data-position="${shown}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [shown])
  const scrolled = () => {
    const element = place.current
    if (element) setFollowing(element.scrollHeight - element.scrollTop - element.clientHeight < 48)
  }
  return (
    <div className="relative min-h-0 border-l border-line bg-surface max-md:border-t max-md:border-l-0">
      <section
        ref={place}
        aria-label={text.task.steps}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        onScroll={scrolled}
        className="h-full overflow-y-auto -outline-offset-2"
      >
        {steps.length === 0 ? (
          <p className="p-5 text-sm text-muted">
            {!fetched ? text.common.loading : isOver(task) ? text.task.noStepsOver : text.task.noSteps}
          </p>
        ) : (
          <ol>
            {steps.map((step, position) => (
              <StepRow
                key={step.index}
                step={step}
                position={position}
                current={shown === position}
                atOnce={position < inSight || position >= steps.length - inSight}
                onOpen={onOpen}
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
