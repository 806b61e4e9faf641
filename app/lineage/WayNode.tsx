import type { Node, NodeProps } from '@xyflow/react'
import { Scissors, Trophy } from 'lucide-react'
import { memo, useContext } from 'react'
import type { Branch } from '../../main/contract/branching.ts'
import { frameUrl } from '../state/engine.ts'
import { timeTravelText } from '../text/time-travel.ts'
import { Chosen } from './chosen.ts'
import { Ends } from './Ends.tsx'
import { useFar } from './useFar.ts'

const words = timeTravelText.ways

export type WayNodeType = Node<{ branch: Branch }, 'way'>

/** Where a way that was tried ended: cut off, or the one that won. */
export const WayNode = memo(function WayNode({ id, data: { branch } }: NodeProps<WayNodeType>) {
  const chosen = useContext(Chosen)
  const far = useFar()
  const mine = chosen.id === id
  const { option, plan, won, frame } = branch
  const Icon = won ? Trophy : Scissors
  return (
    <Ends>
      <button
        type="button"
        data-moment={id}
        aria-pressed={mine}
        // Near, what stands on it is its name; from afar nothing does.
        aria-label={far ? words.name(option + 1, plan) : undefined}
        onClick={() => chosen.choose(id)}
        className={`block h-43 w-52 cursor-pointer rounded-lg p-1 text-left ${mine ? 'bg-raised shadow-lift ring-2 ring-gold' : 'hover:bg-raised hover:shadow-lift'}`}
      >
        <span
          className={`relative block h-30 overflow-hidden rounded-md border-2 border-dashed bg-sunken ${won ? 'border-gold' : 'border-edge/60'}`}
        >
          {frame && !far && (
            <img
              src={frameUrl(frame)}
              alt=""
              decoding="async"
              loading="lazy"
              draggable={false}
              className={`size-full object-cover ${won ? '' : 'opacity-45 grayscale'}`}
            />
          )}
          <span
            className={`absolute top-1.5 right-1.5 grid size-5.5 place-items-center rounded-full ${won ? 'bg-gold text-[oklch(0.2_0.02_60)]' : 'bg-muted text-paper'}`}
          >
            <Icon size={12} aria-hidden="true" />
          </span>
        </span>
        {!far && (
          <span className="block px-1 pt-1.5">
            <span className="block truncate text-sm leading-4.5 font-medium">{plan}</span>
            <span className="block truncate text-xs leading-4 text-muted">
              {won ? words.won(option + 1) : words.lost(option + 1)}
            </span>
          </span>
        )}
      </button>
    </Ends>
  )
})
