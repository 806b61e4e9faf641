import type { Branch } from '../../main/contract/branching.ts'
import { Chip } from '../parts/Chip.tsx'
import { frameUrl } from '../state/engine.ts'
import { Changes } from '../task/Changes.tsx'
import { stageText } from '../text/stage.ts'
import { timeTravelText } from '../text/time-travel.ts'

const words = timeTravelText.ways

/** A way that was tried and has no moment of its own: what it did, and why the judge took it or not. */
export function WayPanel({ branch }: { branch: Branch }) {
  const { option, plan, won, frame, state, verdict, reasons, diff } = branch
  return (
    <section aria-label={words.panel} className="space-y-4 p-4">
      {frame && (
        <img
          src={frameUrl(frame)}
          alt={stageText.arena.picture(option + 1)}
          className="block w-full rounded-md shadow-card ring-1 ring-line"
        />
      )}
      <div className="space-y-1.5">
        <h2 className="text-lg leading-5.5 font-semibold wrap-anywhere">{words.name(option + 1, plan)}</h2>
        <Chip tone={won ? 'warn' : state === 'passed' ? 'pass' : 'fail'}>
          {won ? stageText.arena.won : stageText.arena.states[state]}
        </Chip>
        {verdict && <p className="wrap-anywhere">{verdict}</p>}
      </div>
      {reasons.length > 0 && (
        <div>
          <h3 className="mb-1 text-sm font-semibold">{words.reasons}</h3>
          <ul className="space-y-1 text-sm text-muted">
            {reasons.map((reason) => (
              <li key={reason} className="wrap-anywhere">
                {reason}
              </li>
            ))}
          </ul>
        </div>
      )}
      {diff && (
        <div>
          <h3 className="mb-1 text-sm font-semibold">{words.changes}</h3>
          <Changes diff={diff} />
        </div>
      )}
      {!won && <p className="text-sm text-muted">{words.dropped}</p>}
    </section>
  )
}
