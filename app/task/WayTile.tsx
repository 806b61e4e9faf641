import { Check, Clock, type LucideIcon, Minus, Trophy, X } from 'lucide-react'
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
  const size = machine?.screen ?? usualSize
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
      <div style={{ aspectRatio: `${size.width} / ${size.height}` }} className="flex min-h-28 w-full">
        <Screen size={size}>
          {live && machine ? (
            <LiveDesktop machineId={machine.id} name={`${stageText.way(number)} ${branch.plan}`} lastSeen={frame} />
          ) : (
            frame && <Picture frame={frame} alt={words.picture(number)} />
          )}
        </Screen>
      </div>
      <Progress branch={branch} task={task} steps={own} />
      {judged ? <Judged branch={branch} /> : <Doing branch={branch} />}
      <OwnSteps steps={own} />
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

const marks = { pass: Check, fail: X, unchecked: Minus }
const tones = { pass: 'text-pass', fail: 'text-fail', unchecked: 'text-muted' }

/** What it did so far, the newest first, in the room that is left. */
function OwnSteps({ steps }: { steps: readonly Step[] }) {
  if (steps.length === 0) return null
  return (
    <ol aria-label={words.steps} className="min-h-0 flex-1 space-y-1 overflow-hidden border-t border-line pt-2 text-sm">
      {steps.toReversed().map(({ index, thought, verdict }) => {
        const Mark = marks[verdict]
        return (
          <li key={index} className="flex gap-2">
            <Mark
              size={14}
              role="img"
              aria-label={text.task.verdicts[verdict]}
              className={`mt-0.75 shrink-0 ${tones[verdict]}`}
            />
            <span className="line-clamp-2 min-w-0 wrap-anywhere">{thought}</span>
          </li>
        )
      })}
    </ol>
  )
}

/** The rest is in the trace. */
const mostUnwanted = 2

function Judged({ branch }: { branch: Branch }) {
  const { reasons, unwanted } = branch
  return (
    <div className="max-h-40 shrink-0 space-y-1 overflow-y-auto text-sm">
      {branch.verdict && !reasons.some((reason) => reason.includes(branch.verdict ?? '')) && (
        <p className="wrap-anywhere">{branch.verdict}</p>
      )}
      <ul aria-label={words.reasons} className="space-y-0.5 text-muted">
        {reasons.map((reason) => (
          <li key={reason} className="wrap-anywhere">
            {reason}
          </li>
        ))}
      </ul>
      {unwanted.length > 0 && (
        <p className="wrap-anywhere text-warn">
          {words.unwanted}: {unwanted.slice(0, mostUnwanted).join('; ')}
          {unwanted.length > mostUnwanted && words.andMore(unwanted.length - mostUnwanted)}
        </p>
      )}
    </div>
  )
}
