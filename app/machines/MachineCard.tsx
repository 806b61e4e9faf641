import { Maximize2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Machine, MachineUse } from '../../main/contract/machine.ts'
import { Link } from '../route/Link.tsx'
import { call, frameUrl } from '../state/engine.ts'
import { text } from '../text.ts'
import { ago, bytes, duration, memory } from '../time/format.ts'
import { MachineButtons } from './MachineButtons.tsx'
import { MachineChip } from './MachineChip.tsx'

const words = text.machines

type Props = { machine: Machine; use?: MachineUse | undefined; now: number; onSnapshot: () => void }

export function MachineCard({ machine, use, now, onSnapshot }: Props) {
  const to = { screen: 'machine', machineId: machine.id } as const
  return (
    <li className="flex items-center gap-4 rounded-lg bg-surface p-3 shadow-card ring-1 ring-line max-sm:flex-col max-sm:items-stretch">
      <Link
        to={to}
        aria-label={`${words.open} ${machine.name}`}
        className="group relative block aspect-[8/5] w-40 shrink-0 overflow-hidden rounded-md bg-[oklch(0.2_0.008_65)] ring-1 ring-line max-sm:w-full"
      >
        <Thumbnail machine={machine} />
        <span className="absolute right-1.5 bottom-1.5 grid size-6 place-items-center rounded-sm bg-[oklch(0.18_0.01_60/.8)] text-[oklch(0.96_0.01_85)] opacity-0 transition-opacity group-hover:opacity-100 group-focus-visible:opacity-100">
          <Maximize2 size={13} aria-hidden="true" />
        </span>
      </Link>
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2.5">
          <Link to={to} className="truncate font-semibold hover:underline">
            {machine.name}
          </Link>
          <MachineChip state={machine.state} />
        </p>
        <Reason state={machine.state} />
        <p className="mt-0.5 text-sm text-muted">
          {words.facts(machine.image, memory(machine.memoryMb), machine.cpus)}
        </p>
        {use && (
          <p className="text-sm text-muted tabular-nums">
            {use.memoryBytes === null
              ? words.diskUse(bytes(use.diskBytes))
              : words.use(bytes(use.memoryBytes), bytes(use.diskBytes))}
          </p>
        )}
        <p className="text-sm text-muted">
          {words.age(ago(machine.createdAt, now), duration(machine.startedInMs))}
          {machine.taskId && (
            <>
              {' · '}
              <Link
                to={{ screen: 'task', taskId: machine.taskId, step: null }}
                className="text-lapis underline underline-offset-2"
              >
                {words.forTask}
              </Link>
            </>
          )}
        </p>
      </div>
      <MachineButtons machine={machine} onSnapshot={onSnapshot} />
    </li>
  )
}

/** Why it stands still when nobody asked for that. */
function Reason({ state }: { state: Machine['state'] }) {
  if (state.kind !== 'paused' || !state.reason) return null
  const { message, hint } = state.reason
  return <p className="mt-0.5 text-sm text-warn">{hint ? `${message} ${hint}` : message}</p>
}

/** One picture, taken when the card appears: a list is no place for several live screens. */
function Thumbnail({ machine }: { machine: Machine }) {
  const [frame, setFrame] = useState<string | null>(null)
  const { id } = machine
  const visible = machine.state.kind === 'running' || machine.state.kind === 'paused'
  useEffect(() => {
    if (!visible) return
    let current = true
    call('vm.screenshot', { machineId: id }).then(
      (shot) => current && setFrame(shot.frame),
      () => {}, // the card is complete without it
    )
    return () => {
      current = false
    }
  }, [id, visible])
  return frame && <img src={frameUrl(frame)} alt={words.picture(machine.name)} className="size-full object-cover" />
}
