import { Check, Clock, type LucideIcon, Trophy, X } from 'lucide-react'
import type { Branch, BranchState } from '../../main/contract/branching.ts'
import type { Step, Task } from '../../main/contract/task.ts'
import { LiveDesktop } from '../desktop/LiveDesktop.tsx'
import { Screen } from '../desktop/Screen.tsx'
import { Chip, type Tone } from '../parts/Chip.tsx'
import { useStore } from '../state/store.ts'
import { lastFrame } from '../state/world.ts'
import { stageText } from '../text/stage.ts'
import { text } from '../text.ts'
import { wholeDuration } from '../time/format.ts'
import { useNow } from '../time/useNow.ts'
import { isUnderWay } from './decisions.ts'
import { Picture, usualSize } from './Picture.tsx'

const words = stageText.arena

const looks: Record<BranchState, { tone: Tone; icon?: LucideIcon; alive?: boolean }> = {
  waiting: { tone: 'plain', icon: Clock },
  running: { tone: 'lapis', alive: true },
  passed: { tone: 'pass', icon: Check },
  failed: { tone: 'fail', icon: X },
  timed_out: { tone: 'warn', icon: Clock },
  refused: { tone: 'plain', icon: X },
  interrupted: { tone: 'warn', icon: X },
}

type Props = { branch: Branch; task: Task; steps: readonly Step[]; judged: boolean }

/** One way: its plan, its screen as it is now, how far it is, and what the judge said of it. */
export function WayTile({ branch, task, steps, judged }: Props) {
  const machine = useStore((store) => (branch.machineId ? store.machines[branch.machineId] : undefined))
  const own = steps.filter(({ branchId }) => branchId === branch.id)
  const live = branch.state === 'running' && machine?.state.kind === 'running'
  const frame = branch.frame ?? lastFrame(own)
  const number = branch.option + 1
  return (
    <li
      aria-label={`${stageText.way(number)}: ${branch.plan}`}
      className={`flex min-h-56 min-w-0 flex-col gap-2 rounded-lg bg-surface p-2.5 ring-1 transition-opacity ${branch.won ? 'shadow-lift ring-2 ring-gold' : 'shadow-card ring-line'} ${judged && !branch.won ? 'opacity-75' : ''}`}
    >
      <div className="flex items-start gap-2">
        <p className="line-clamp-2 min-w-0 flex-1 text-sm wrap-anywhere" title={branch.plan}>
          <span className="font-semibold">{stageText.way(number)}</span> {branch.plan}
        </p>
        {branch.won ? (
          <Chip tone="warn" icon={Trophy}>
            {words.won}
          </Chip>
        ) : (
          <Chip {...looks[branch.state]}>{words.states[branch.state]}</Chip>
        )}
      </div>
      <div className="flex min-h-28 flex-1">
        <Screen size={machine?.screen ?? usualSize}>
          {live && machine ? (
            <LiveDesktop machineId={machine.id} name={`${stageText.way(number)} ${branch.plan}`} lastSeen={frame} />
          ) : (
            frame && <Picture frame={frame} alt={words.picture(number)} />
          )}
        </Screen>
      </div>
      <Progress branch={branch} task={task} steps={own} />
      {judged ? <Judged branch={branch} /> : <Doing branch={branch} />}
    </li>
  )
}

function Progress({ branch, task, steps }: { branch: Branch; task: Task; steps: readonly Step[] }) {
  const nested = useStore((store) => store.branches[task.id])?.filter(({ parentId }) => parentId === branch.id) ?? []
  const underWay = isUnderWay(branch)
  const now = useNow(1000, underWay)
  const took = underWay ? now - Date.parse(branch.createdAt) : branch.cost.ms
  const count = Math.max(branch.cost.steps, steps.length)
  const { usd } = branch.cost.usage
  return (
    <p className="flex flex-wrap gap-x-2 text-xs text-muted tabular-nums">
      <span>{text.common.steps(count)}</span>
      <span>· {wholeDuration(took)}</span>
      {usd !== null && usd > 0 && <span>· {stageText.cost.usd(usd)}</span>}
      {!underWay && branch.changes.length > 0 && <span>· {words.changed(branch.changes.length)}</span>}
      {nested.some(isUnderWay) && <span>· {words.nested(nested.length)}</span>}
    </p>
  )
}

function Doing({ branch }: { branch: Branch }) {
  const activity = useStore((store) => store.activity[branch.id])
  const said = branch.verdict ?? (isUnderWay(branch) ? activity?.text : null)
  if (!said) return null
  return (
    <p className="line-clamp-2 text-sm wrap-anywhere text-muted">
      {!branch.verdict && activity && (
        <span className="font-medium text-ink">{text.task.phases[activity.phase]} · </span>
      )}
      {said}
    </p>
  )
}

function Judged({ branch }: { branch: Branch }) {
  return (
    <div className="max-h-24 space-y-1 overflow-y-auto text-sm">
      {branch.verdict && <p className="wrap-anywhere">{branch.verdict}</p>}
      <ul aria-label={words.reasons} className="space-y-0.5 text-muted">
        {branch.reasons.map((reason) => (
          <li key={reason} className="wrap-anywhere">
            {reason}
          </li>
        ))}
      </ul>
      {branch.unwanted.length > 0 && (
        <p className="wrap-anywhere text-warn">
          {words.unwanted}: {branch.unwanted.join('; ')}
        </p>
      )}
    </div>
  )
}
