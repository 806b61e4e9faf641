import { useCallback, useState } from 'react'
import type { Task } from '../../main/contract/task.ts'
import { ErrorNote } from '../parts/ErrorNote.tsx'
import { Page } from '../parts/Page.tsx'
import { useTitle } from '../parts/useTitle.ts'
import { Link } from '../route/Link.tsx'
import { navigate } from '../route/navigation.ts'
import { useStore } from '../state/store.ts'
import { isOver, needsPerson } from '../state/world.ts'
import { text } from '../text.ts'
import { Inspector } from './Inspector.tsx'
import { Stage } from './Stage.tsx'
import { SteerPanel } from './SteerPanel.tsx'
import { StepList } from './StepList.tsx'
import { TaskHeader } from './TaskHeader.tsx'
import { Timeline } from './Timeline.tsx'
import { useScrubKeys } from './useScrubKeys.ts'
import { useTaskDetail } from './useTaskDetail.ts'
import { VerdictCard } from './VerdictCard.tsx'

type Props = { taskId: string; openStep: number | null }

export function TaskView({ taskId, openStep }: Props) {
  const { task, steps, fetched, error } = useTaskDetail(taskId)
  const machine = useStore((store) => (task?.machineId ? store.machines[task.machineId] : undefined))
  // Position in `steps` that the stage shows; null is the present.
  const [scrubbed, setScrubbed] = useState<number | null>(null)
  const live = machine !== undefined && machine.state.kind !== 'dead'
  const open = useCallback((step: number | null) => navigate({ screen: 'task', taskId, step }), [taskId])
  const turn = useCallback((step: number) => navigate({ screen: 'task', taskId, step }, { replace: true }), [taskId])
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
  return (
    <div className="flex h-full flex-col max-md:overflow-y-auto">
      <TaskHeader task={task} />
      <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)_clamp(320px,30vw,440px)] max-md:block">
        <div className="flex min-h-0 flex-col gap-3 px-5 pt-4 pb-4 max-md:h-[70vh] max-md:min-h-105">
          <Stage task={task} machine={machine} steps={steps} scrubbed={scrubbed} />
          <Timeline steps={steps} position={scrubbed} live={live} onMove={setScrubbed} onOpen={open} />
          {isOver(task) ? (
            <VerdictCard task={task} />
          ) : (
            <SteerPanel task={task} canDrive={machine?.state.kind === 'running'} onTakeOver={() => setScrubbed(null)} />
          )}
        </div>
        <StepList task={task} steps={steps} fetched={fetched} shown={scrubbed} onOpen={open} />
      </div>
      {opened && <Inspector step={opened} steps={steps} onMove={turn} onClose={() => open(null)} />}
    </div>
  )
}

function titleOf(task: Task | undefined): string {
  if (!task) return text.task.loading
  return needsPerson(task) ? text.task.needsYouTitle(task.goal) : task.goal
}
