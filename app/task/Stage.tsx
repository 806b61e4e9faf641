import type { ReactNode } from 'react'
import type { Machine } from '../../main/contract/machine.ts'
import type { Step, Task } from '../../main/contract/task.ts'
import { LiveDesktop } from '../desktop/LiveDesktop.tsx'
import { Screen } from '../desktop/Screen.tsx'
import { Logo } from '../parts/Logo.tsx'
import { useStore } from '../state/store.ts'
import { isOver, lastFrame } from '../state/world.ts'
import { text } from '../text.ts'
import { marksOf } from './marks.ts'
import { Picture, usualSize } from './Picture.tsx'

type Props = { task: Task; machine: Machine | undefined; steps: readonly Step[]; scrubbed: number | null }

/** The desktop at the centre: as it is now, as it was at a chosen step, or as it was last seen. */
export function Stage({ task, machine, steps, scrubbed }: Props) {
  const size = machine?.screen ?? usualSize
  const step = scrubbed === null ? undefined : steps[scrubbed]
  const canShowLive = useStore((store) => store.info?.capabilities.liveView ?? true)
  const live = canShowLive && (machine?.state.kind === 'running' || machine?.state.kind === 'paused')
  const driving = task.hold === 'taken_over'
  const asked = !step && !driving && task.waitingFor?.kind === 'approval' ? task.waitingFor : undefined
  const frame = step ? (step.after ?? step.before) : (asked?.frame ?? (live ? null : lastFrame(steps)))
  const alt = step ? text.task.pictureOf(step.index + 1) : asked?.frame ? text.task.waitingFor.picture : text.task.gone
  const acts = step ? step.actions.map(({ act }) => act) : asked?.frame ? asked.acts : []
  return (
    <Screen size={size} driving={driving && live}>
      {/* Kept in place under a picture of the past: coming back to the present is then instant. */}
      {live && machine && (
        <LiveDesktop
          machineId={machine.id}
          name={machine.name}
          control={driving && !step}
          lastSeen={lastFrame(steps)}
        />
      )}
      {frame ? <Picture frame={frame} alt={alt} size={size} marks={marksOf(acts)} /> : !live && <Waiting task={task} />}
      {step && <Caption>{text.task.pictureOf(step.index + 1)}</Caption>}
      {asked?.frame && <Caption>{text.task.waitingFor.picture}</Caption>}
      {!step && frame && isOver(task) && <Caption>{text.task.gone}</Caption>}
    </Screen>
  )
}

function Caption({ children }: { children: ReactNode }) {
  return (
    <p className="absolute bottom-2.5 left-1/2 -translate-x-1/2 rounded-full bg-[oklch(0.18_0.01_60/.82)] px-3 py-1 text-xs whitespace-nowrap text-[oklch(0.96_0.01_85)]">
      {children}
    </p>
  )
}

function Waiting({ task }: { task: Task }) {
  const said = isOver(task)
    ? text.task.goneNoPicture
    : task.state === 'queued'
      ? text.task.waiting
      : text.task.preparing
  return (
    <div className="absolute inset-0 grid place-content-center justify-items-center gap-3 text-[oklch(0.86_0.01_85)]">
      <span className={isOver(task) ? 'opacity-50' : 'spark'}>
        <Logo size={44} />
      </span>
      <p>{said}</p>
    </div>
  )
}
