import type { Node, NodeProps } from '@xyflow/react'
import { Check, Monitor, Pin, Sparkles, X } from 'lucide-react'
import { memo, useContext } from 'react'
import type { Machine, Snapshot } from '../../main/contract/machine.ts'
import { Link } from '../route/Link.tsx'
import { frameUrl } from '../state/engine.ts'
import { text } from '../text.ts'
import { bytes, exactMoment } from '../time/format.ts'
import { Chosen } from './chosen.ts'
import { Ends } from './Ends.tsx'
import { useFar } from './useFar.ts'
import { WayNode, type WayNodeType } from './WayNode.tsx'

const words = text.lineage

/** How the line a moment belongs to ended there, as far as that is known. */
export type End = 'won' | 'lost' | null
export type MomentNode = Node<{ snapshot: Snapshot; title: string; end: End }, 'moment'>
export type OriginNode = Node<{ image: string }, 'origin'>
export type LivingNode = Node<{ machine: Machine }, 'living'>
export type AnyNode = MomentNode | OriginNode | LivingNode | WayNodeType

const ends = {
  won: { icon: Check, look: 'bg-pass text-paper', label: words.ends.won },
  lost: { icon: X, look: 'bg-muted text-paper', label: words.ends.lost },
}

const Moment = memo(function Moment({ id, data: { snapshot, title, end } }: NodeProps<MomentNode>) {
  const chosen = useContext(Chosen)
  const far = useFar()
  const mine = chosen.id === id || chosen.against === id
  const size = bytes(snapshot.diskBytes + snapshot.ramBytes)
  return (
    <Ends>
      <button
        type="button"
        data-moment={id}
        aria-pressed={mine}
        // Near, what stands on it is its name; from afar nothing does.
        aria-label={far ? words.moment(title, exactMoment(snapshot.createdAt)) : undefined}
        onClick={() => chosen.choose(id)}
        className={`group block h-43 w-52 cursor-pointer rounded-lg p-1 text-left transition-shadow ${mine ? 'bg-raised shadow-lift ring-2 ring-gold' : 'hover:bg-raised hover:shadow-lift'}`}
      >
        <span className="relative block h-30 overflow-hidden rounded-md bg-sunken ring-1 ring-line">
          {snapshot.frame && !far && (
            <img
              src={frameUrl(snapshot.frame)}
              alt=""
              decoding="async"
              loading="lazy"
              draggable={false}
              className={`size-full object-cover ${end === 'lost' && !mine ? 'opacity-65 saturate-50' : ''}`}
            />
          )}
          {far && <span className={`block size-full ${mine ? 'bg-gold' : 'bg-lapis/35'}`} />}
          {snapshot.pinned && (
            <span className="absolute top-1.5 left-1.5 grid size-5.5 place-items-center rounded-full bg-gold text-[oklch(0.2_0.02_60)]">
              <Pin size={12} aria-hidden="true" />
            </span>
          )}
          {end && <EndMark end={end} />}
        </span>
        {!far && (
          <span className="block px-1 pt-1.5">
            <span className="block truncate text-sm leading-4.5 font-medium">{title}</span>
            <span className="block truncate text-xs leading-4 text-muted tabular-nums">
              {clock.format(new Date(snapshot.createdAt))} · {size}
            </span>
          </span>
        )}
      </button>
    </Ends>
  )
})

function EndMark({ end }: { end: 'won' | 'lost' }) {
  const { icon: Icon, look, label } = ends[end]
  return (
    <span
      role="img"
      aria-label={label}
      title={label}
      className={`absolute top-1.5 right-1.5 grid size-5.5 place-items-center rounded-full ${look}`}
    >
      <Icon size={13} strokeWidth={3} aria-hidden="true" />
    </span>
  )
}

const clock = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' })

const Origin = memo(function Origin({ data: { image } }: NodeProps<OriginNode>) {
  return (
    <Ends>
      <div className="grid h-43 w-52 place-items-end content-center">
        <div className="flex items-center gap-2.5 rounded-full bg-raised py-2 pr-4 pl-2.5 shadow-card ring-1 ring-line">
          <span className="grid size-8 place-items-center rounded-full bg-lapis-tint text-lapis">
            <Sparkles size={16} aria-hidden="true" />
          </span>
          <span className="leading-4.5">
            <span className="block text-sm font-medium">{words.origin}</span>
            <span className="block text-xs text-muted">{image}</span>
          </span>
        </div>
      </div>
    </Ends>
  )
})

const Living = memo(function Living({ data: { machine } }: NodeProps<LivingNode>) {
  return (
    <Ends>
      <div className="grid h-43 w-52 content-center justify-items-start">
        <Link
          to={{ screen: 'machine', machineId: machine.id }}
          className="flex max-w-full items-center gap-2.5 rounded-full bg-raised py-2 pr-4 pl-2.5 shadow-card ring-1 ring-line hover:ring-edge"
        >
          <span className="grid size-8 shrink-0 place-items-center rounded-full bg-pass-tint text-pass">
            <Monitor size={16} aria-hidden="true" />
          </span>
          <span className="min-w-0 leading-4.5">
            <span className="block truncate text-sm font-medium">{machine.name}</span>
            <span className="flex items-center gap-1.5 text-xs text-muted">
              {machine.state.kind === 'running' && <span className="spark size-1.5 rounded-full bg-pass" />}
              {text.machines.states[machine.state.kind]}
            </span>
          </span>
        </Link>
      </div>
    </Ends>
  )
})

export const nodeTypes = { moment: Moment, origin: Origin, living: Living, way: WayNode }
