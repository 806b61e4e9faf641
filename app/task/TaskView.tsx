import { useCallback, useState } from 'react'
import type { Step, Task } from '../../main/contract/task.ts'
import { MachinePanel } from '../desktop/MachinePanel.tsx'
import { PanelTabs } from '../desktop/PanelTabs.tsx'
import { ErrorNote } from '../parts/ErrorNote.tsx'
import { Page } from '../parts/Page.tsx'
import { useTitle } from '../parts/useTitle.ts'
import { Link } from '../route/Link.tsx'
import { navigate } from '../route/navigation.ts'
import type { Panel } from '../route/route.ts'
import { useStore } from '../state/store.ts'
import { isOver, needsPerson } from '../state/world.ts'
import { stageText } from '../text/stage.ts'
import { text } from '../text.ts'
import { Arena } from './Arena.tsx'
import { Inspector } from './Inspector.tsx'
import { Stage } from './Stage.tsx'
import { SteerPanel } from './SteerPanel.tsx'
import { StepList } from './StepList.tsx'
import { TaskHeader } from './TaskHeader.tsx'
import { Timeline } from './Timeline.tsx'
import { useArena } from './useArena.ts'
import { useScrubKeys } from './useScrubKeys.ts'
import { useTaskDetail } from './useTaskDetail.ts'
import { VerdictCard } from './VerdictCard.tsx'

type Props = { taskId: string; openStep: number | null; panel?: Panel | undefined }

export function TaskView({ taskId, openStep, panel }: Props) {
  const { task, steps, fetched, error } = useTaskDetail(taskId)
  const machine = useStore((store) => (task?.machineId ? store.machines[task.machineId] : undefined))
  // Positions in `steps`; null is the present. What is pointed at goes before what was chosen.
  const [scrubbed, setScrubbed] = useState<number | null>(null)
  const [hovered, setHovered] = useState<number | null>(null)
  const arena = useArena(task)
  const live = machine !== undefined && machine.state.kind !== 'dead'
  const go = useCallback(
    (step: number | null, replace = false) =>
      navigate({ screen: 'task', taskId, step, ...(panel && { panel }) }, { replace }),
    [taskId, panel],
  )
  const open = useCallback((step: number) => go(step), [go])
  const { see } = arena
  const seeWays = useCallback(
    (step: Step) => {
      setScrubbed(null)
      see(step)
    },
    [see],
  )
  const shown = hovered ?? scrubbed
  useTitle(titleOf(task))
  // While the person drives, the arrow keys are the desktop's.
  useScrubKeys({
    enabled: openStep === null && task?.hold !== 'taken_over',
    position: scrubbed,
    count: steps.length,
    onMove: setScrubbed,
  })

  if (!task) {
    return (
      <Page title={error ? text.task.missing : text.task.loading}>
        {error && <ErrorNote error={error} />}
        <Link to={{ screen: 'home' }} className="text-lapis underline underline-offset-2">
          {text.common.backHome}
        </Link>
      </Page>
    )
  }

  const opened = openStep === null ? undefined : steps.find((step) => step.index === openStep)
  const side = panel ? 'minmax(21rem,46%)' : 'clamp(20rem,30vw,27.5rem)'
  return (
    <div className="flex h-full flex-col max-md:overflow-y-auto">
      <TaskHeader task={task} steps={steps} />
      <div
        style={{ gridTemplateColumns: `minmax(0,1fr) ${side}` }}
        className="grid min-h-0 flex-1 grid-rows-[minmax(0,1fr)] max-md:block"
      >
        <div className="flex min-h-0 flex-col gap-3 px-5 pt-4 pb-4 max-md:h-[70vh] max-md:min-h-105">
          {arena.shown && (arena.asked ? scrubbed : shown) === null ? (
            <Arena branches={arena.shown} task={task} steps={steps} onClose={arena.close} />
          ) : (
            <Stage task={task} machine={machine} steps={steps} scrubbed={shown} />
          )}
          <Timeline
            steps={steps}
            position={scrubbed}
            live={live}
            onMove={setScrubbed}
            onHover={setHovered}
            onOpen={open}
          />
          {isOver(task) ? (
            <VerdictCard task={task} />
          ) : (
            <SteerPanel task={task} canDrive={machine?.state.kind === 'running'} onTakeOver={() => setScrubbed(null)} />
          )}
        </div>
        <div className="flex min-h-0 min-w-0 flex-col border-l border-line bg-surface max-md:border-t max-md:border-l-0">
          <PanelTabs
            first={stageText.panels.steps}
            panel={panel}
            onChoose={(next) =>
              navigate({ screen: 'task', taskId, step: null, ...(next && { panel: next }) }, { replace: true })
            }
          />
          <div className="min-h-0 flex-1">
            {panel ? (
              <MachinePanel panel={panel} machine={machine} />
            ) : (
              <StepList
                task={task}
                steps={steps}
                fetched={fetched}
                shown={scrubbed}
                onOpen={open}
                onHover={setHovered}
                onSeeWays={seeWays}
              />
            )}
          </div>
        </div>
      </div>
      {opened && <Inspector step={opened} steps={steps} onMove={(step) => go(step, true)} onClose={() => go(null)} />}
    </div>
  )
}

function titleOf(task: Task | undefined): string {
  if (!task) return text.task.loading
  return needsPerson(task) ? text.task.needsYouTitle(task.goal) : task.goal
}
