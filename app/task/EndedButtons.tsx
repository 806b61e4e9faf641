import { Columns2, Play, Repeat, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import type { Task } from '../../main/contract/task.ts'
import { useRunTask } from '../home/useRunTask.ts'
import { Button, IconButton } from '../parts/Button.tsx'
import { ReplayForm } from '../replay/ReplayForm.tsx'
import { Link } from '../route/Link.tsx'
import { call } from '../state/engine.ts'
import { useStore } from '../state/store.ts'
import { toastError } from '../state/toasts.ts'
import { tracesText } from '../text/traces.ts'
import { text } from '../text.ts'
import { useTaskCommand } from './useTaskCommand.ts'

/** What can still be done with a task that is over. */
export function EndedButtons({ task }: { task: Task }) {
  return (
    <>
      <Link
        to={{ screen: 'compare', a: task.id, b: null }}
        aria-label={tracesText.compare.with}
        title={tracesText.compare.with}
        className="grid size-7 shrink-0 place-items-center rounded-md text-muted hover:bg-ink/7 hover:text-ink"
      >
        <Columns2 size={16} aria-hidden="true" />
      </Link>
      {canReplay(task) && <ReplayButton task={task} />}
      {task.planner === 'demo' && <AgainButton task={task} />}
      {task.state === 'interrupted' && <GoOnButton task={task} />}
    </>
  )
}

export const canReplay = (task: Task): boolean => task.stepCount > 0

/** The form is opened by a button, and asks nothing that has to be answered. */
function useReplay(task: Task) {
  const [asking, setAsking] = useState(false)
  const connected = useStore((store) => store.connection === 'open')
  const form = asking && <ReplayForm task={task} onClose={() => setAsking(false)} />
  return { form, button: { disabled: !connected, onClick: () => setAsking(true) } }
}

function ReplayButton({ task }: { task: Task }) {
  const { form, button } = useReplay(task)
  return (
    <>
      <Button size="sm" icon={Repeat} title={text.task.replayDetail} {...button}>
        {text.task.replay}
      </Button>
      {form}
    </>
  )
}

/** For rows of a list, where the name must say which task is meant. */
export function ReplayIcon({ task }: { task: Task }) {
  const { form, button } = useReplay(task)
  return (
    <>
      <IconButton size="sm" icon={Repeat} label={text.task.replayOf(task.goal)} {...button} />
      {form}
    </>
  )
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
