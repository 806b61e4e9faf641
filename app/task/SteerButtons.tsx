import { Bookmark, Hand, HandGrab, Pause, Play } from 'lucide-react'
import { useState } from 'react'
import type { Task } from '../../main/contract/task.ts'
import { Button, IconButton } from '../parts/Button.tsx'
import { call } from '../state/engine.ts'
import { toast, toastError } from '../state/toasts.ts'
import { stageText } from '../text/stage.ts'
import { text } from '../text.ts'
import { duration } from '../time/format.ts'
import { useTaskCommand } from './useTaskCommand.ts'

type Props = { task: Task; canDrive: boolean; onTakeOver: () => void }

/** Stepping in: let it wait, or take the mouse and keyboard oneself. */
export function SteerButtons({ task, canDrive, onTakeOver }: Props) {
  const pausing = useTaskCommand()
  const driving = useTaskCommand()
  const taskId = task.id
  const over = task.hold === 'taken_over'
  const paused = task.hold === 'paused'
  const busy = pausing.busy || driving.busy
  const takeOver = async () => {
    if (await driving.send(() => call('task.takeOver', { taskId }))) onTakeOver()
  }
  const checkpoint = <CheckpointButton taskId={taskId} disabled={busy || !pausing.connected || !canDrive} />
  // There is nobody to hand back to.
  if (task.planner === 'human') return checkpoint
  return (
    <div className="flex shrink-0 gap-2">
      {checkpoint}
      {!over && (
        <Button
          size="sm"
          icon={paused ? Play : Pause}
          busy={pausing.busy}
          disabled={busy || !pausing.connected}
          onClick={() => pausing.send(() => call(paused ? 'task.resume' : 'task.pause', { taskId }))}
        >
          {paused ? text.task.resume : text.task.pause}
        </Button>
      )}
      <Button
        size="sm"
        look={over ? 'primary' : 'plain'}
        icon={over ? HandGrab : Hand}
        busy={driving.busy}
        disabled={busy || !driving.connected || (!over && !canDrive)}
        onClick={over ? () => driving.send(() => call('task.handBack', { taskId })) : takeOver}
      >
        {over ? text.task.handBack : text.task.takeOver}
      </Button>
    </div>
  )
}

function CheckpointButton({ taskId, disabled }: { taskId: string; disabled: boolean }) {
  const [busy, setBusy] = useState(false)
  const keep = async () => {
    setBusy(true)
    await keepNow(taskId)
    setBusy(false)
  }
  return (
    <IconButton
      size="sm"
      look="plain"
      icon={Bookmark}
      label={`${stageText.checkpoint.label}: ${stageText.checkpoint.detail}`}
      busy={busy}
      disabled={disabled}
      onClick={keep}
    />
  )
}

export async function keepNow(taskId: string): Promise<void> {
  try {
    const { pauseMs } = await call('task.checkpoint', { taskId })
    toast(stageText.checkpoint.taken(duration(pauseMs)))
  } catch (thrown) {
    toastError(thrown)
  }
}
