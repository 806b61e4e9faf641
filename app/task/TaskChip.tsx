import { Check, CircleHelp, CircleSlash, Clock, HandGrab, type LucideIcon, Pause, X, Zap } from 'lucide-react'
import type { Task, TaskState } from '../../main/contract/task.ts'
import { Chip, type Tone } from '../parts/Chip.tsx'
import { text } from '../text.ts'

const looks: Record<TaskState, { tone: Tone; icon?: LucideIcon; alive?: boolean }> = {
  queued: { tone: 'plain', icon: Clock },
  preparing: { tone: 'lapis', alive: true },
  running: { tone: 'lapis', alive: true },
  succeeded: { tone: 'pass', icon: Check },
  failed: { tone: 'fail', icon: X },
  stopped: { tone: 'plain', icon: CircleSlash },
  interrupted: { tone: 'warn', icon: Zap },
}

export function TaskChip({ task }: { task: Pick<Task, 'state' | 'hold' | 'waitingFor'> }) {
  const { state, hold, waitingFor } = task
  if (hold === 'taken_over') return <Held icon={HandGrab}>{text.task.holds.taken_over}</Held>
  if (waitingFor) return <Held icon={CircleHelp}>{text.task.needsYou}</Held>
  if (hold) return <Held icon={Pause}>{text.task.holds.paused}</Held>
  return <Chip {...looks[state]}>{text.task.states[state]}</Chip>
}

function Held({ icon, children }: { icon: LucideIcon; children: string }) {
  return (
    <Chip tone="warn" icon={icon}>
      {children}
    </Chip>
  )
}
