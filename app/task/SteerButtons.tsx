import { Hand, HandGrab, Pause, Play } from 'lucide-react'
import type { Task } from '../../main/contract/task.ts'
import { Button } from '../parts/Button.tsx'
import { call } from '../state/engine.ts'
import { text } from '../text.ts'
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
  return (
    <div className="flex shrink-0 gap-2">
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
