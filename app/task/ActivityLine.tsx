import { describeAct } from '../../main/contract/action.ts'
import type { Task } from '../../main/contract/task.ts'
import { useStore } from '../state/store.ts'
import { type Activity, needsPerson } from '../state/world.ts'
import { text } from '../text.ts'

/** What the agent is at right now, like the subtitle of a film. Always there, so that a change of it is announced. */
export function ActivityLine({ task }: { task: Task }) {
  const activity = useStore((store) => store.activity[task.id])
  const { phase, detail } = said(task, activity)
  const still = needsPerson(task) || Boolean(task.hold)
  return (
    <div role="status" className="flex min-w-0 flex-1 items-center gap-3">
      <span className={`size-2.5 shrink-0 rounded-full ${still ? 'bg-edge' : 'spark bg-gold'}`} />
      <p className="line-clamp-2 min-w-0">
        <span className="font-medium">{phase}</span>
        {detail && <span className="text-muted"> · {detail}</span>}
      </p>
    </div>
  )
}

function said(task: Task, activity: Activity | undefined): { phase: string; detail?: string } {
  const words = text.task
  if (task.hold === 'taken_over' && task.planner === 'human')
    return { phase: words.holds.taken_over, detail: words.byHandDetail }
  if (task.hold === 'taken_over') return { phase: words.holds.taken_over, detail: words.holdDetails.taken_over }
  if (task.waitingFor?.kind === 'approval')
    return { phase: words.needsYou, detail: words.waitingFor.asks(task.waitingFor.acts.map(describeAct).join(', ')) }
  if (task.waitingFor) return { phase: words.needsYou, detail: task.waitingFor.text }
  if (task.hold === 'paused') return { phase: words.holds.paused, detail: words.holdDetails.paused }
  if (activity) return { phase: words.phases[activity.phase], detail: activity.text }
  return { phase: task.state === 'queued' ? words.waiting : words.preparing }
}
