import { Play, Repeat, RotateCcw } from 'lucide-react'
import type { Task } from '../../main/contract/task.ts'
import { useRunTask } from '../home/useRunTask.ts'
import { Button, IconButton } from '../parts/Button.tsx'
import { call } from '../state/engine.ts'
import { useStore } from '../state/store.ts'
import { toastError } from '../state/toasts.ts'
import { text } from '../text.ts'
import { useTaskCommand } from './useTaskCommand.ts'

/** What can still be done with a task that is over. */
export function EndedButtons({ task }: { task: Task }) {
  return (
    <>
      {canReplay(task) && <ReplayButton task={task} />}
      {task.planner === 'demo' && <AgainButton task={task} />}
      {task.state === 'interrupted' && <GoOnButton task={task} />}
    </>
  )
}

export const canReplay = (task: Task): boolean => task.stepCount > 0

function useReplay(task: Task) {
  const { run, busy } = useRunTask(toastError)
  const connected = useStore((store) => store.connection === 'open')
  const replay = () =>
    run({
      goal: task.goal,
      image: task.image,
      planner: { kind: 'replay', taskId: task.id, variables: [] },
      keepMachine: false,
    })
  return { busy, disabled: !connected, onClick: replay }
}

function ReplayButton({ task }: { task: Task }) {
  return (
    <Button size="sm" icon={Repeat} title={text.task.replayDetail} {...useReplay(task)}>
      {text.task.replay}
    </Button>
  )
}

/** For rows of a list, where the name must say which task is meant. */
export function ReplayIcon({ task }: { task: Task }) {
  return <IconButton size="sm" icon={Repeat} label={text.task.replayOf(task.goal)} {...useReplay(task)} />
}

function AgainButton({ task }: { task: Task }) {
  const { run, busy } = useRunTask(toastError)
  const connected = useStore((store) => store.connection === 'open')
  const again = () => run({ goal: task.goal, image: task.image, planner: { kind: 'demo' } })
  return (
    <Button size="sm" icon={RotateCcw} busy={busy} disabled={!connected} onClick={again}>
      {text.task.again}
    </Button>
  )
}

function GoOnButton({ task }: { task: Task }) {
  const { send, busy, connected } = useTaskCommand()
  const goOn = () => send(() => call('task.resumeInterrupted', { taskId: task.id }))
  return (
    <Button size="sm" look="primary" icon={Play} busy={busy} disabled={!connected} onClick={goOn}>
      {text.task.goOn}
    </Button>
  )
}
