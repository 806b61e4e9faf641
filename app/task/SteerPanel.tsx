import { useRef } from 'react'
import type { Task } from '../../main/contract/task.ts'
import { ClipboardButtons } from '../desktop/ClipboardButtons.tsx'
import { call } from '../state/engine.ts'
import { toast } from '../state/toasts.ts'
import { text } from '../text.ts'
import { ActivityLine } from './ActivityLine.tsx'
import { SteerButtons } from './SteerButtons.tsx'
import { WaitingCard } from './WaitingCard.tsx'
import { WordsForm } from './WordsForm.tsx'

type Props = { task: Task; canDrive: boolean; onTakeOver: () => void }

/** Under the desktop while a task is under way: what it is at, what it waits for, and how to step in. */
export function SteerPanel({ task, canDrive, onTakeOver }: Props) {
  const place = useRef<HTMLElement>(null)
  const { waitingFor } = task
  return (
    <>
      {waitingFor && (
        <WaitingCard
          key={JSON.stringify(waitingFor)}
          task={task}
          waitingFor={waitingFor}
          // The button that had the focus goes away with the card; from here the next Tab goes on sensibly.
          onAnswered={() => place.current?.focus()}
        />
      )}
      <section
        ref={place}
        tabIndex={-1}
        aria-label={text.task.stepIn}
        className="shrink-0 space-y-2.5 rounded-lg bg-surface px-4 py-2.5 shadow-card ring-1 ring-line"
      >
        <div className="flex min-h-9 items-center gap-3">
          <ActivityLine task={task} />
          {task.hold === 'taken_over' && task.machineId && (
            <ClipboardButtons machineId={task.machineId} disabled={!canDrive} />
          )}
          {task.state === 'running' && <SteerButtons task={task} canDrive={canDrive} onTakeOver={onTakeOver} />}
        </div>
        {task.state === 'running' && task.planner === 'human' && (
          <WordsForm
            label={text.task.declare}
            placeholder={text.task.declarePlaceholder}
            button={text.task.declareSend}
            onSend={(summary) => call('task.declare', { taskId: task.id, summary })}
            onSent={() => {}}
          />
        )}
        {task.state === 'running' && task.planner !== 'human' && (
          <WordsForm
            label={text.task.guide}
            placeholder={text.task.guidePlaceholder}
            button={text.task.guideSend}
            onSend={(said) => call('task.guide', { taskId: task.id, text: said })}
            onSent={() => toast(text.task.guideSent)}
          />
        )}
      </section>
    </>
  )
}
