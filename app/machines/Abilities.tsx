import { Check, Minus } from 'lucide-react'
import type { Capabilities } from '../../main/contract/machine.ts'
import { useStore } from '../state/store.ts'
import { text } from '../text.ts'

const words = text.abilities
const kinds = ['ramSnapshot', 'fork', 'diskSnapshot', 'exec', 'pause', 'liveView'] as const

/** What machines can do with this driver and accelerator, so that nobody looks in vain for what they cannot. */
export function Abilities() {
  const can = useStore((store) => store.info?.capabilities)
  return can ? <Shown can={can} /> : null
}

function Shown({ can }: { can: Capabilities }) {
  const { accelerator } = can
  return (
    <section aria-labelledby="abilities">
      <h2 id="abilities" className="text-lg font-semibold">
        {words.title}
      </h2>
      <p className="mb-2.5 text-sm text-muted">
        {words.by(can.driver)} {words.accelerators[accelerator ?? 'none']}
      </p>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(13rem,1fr))] gap-x-6 gap-y-1.5 rounded-lg bg-surface px-4 py-3 shadow-card ring-1 ring-line">
        {kinds.map((kind) => {
          const Icon = can[kind] ? Check : Minus
          return (
            <li key={kind} className={`flex items-center gap-2 ${can[kind] ? '' : 'text-muted'}`}>
              <Icon size={15} aria-hidden="true" className={can[kind] ? 'text-pass' : 'text-muted'} />
              {can[kind] ? words.kinds[kind] : words.not(words.kinds[kind])}
            </li>
          )
        })}
      </ul>
      {can.unproven.length > 0 && <p className="mt-2 text-sm text-muted">{words.unproven(can.unproven.join(', '))}</p>}
    </section>
  )
}
