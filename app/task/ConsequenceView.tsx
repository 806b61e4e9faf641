import { Globe } from 'lucide-react'
import type { Consequence } from '../../main/contract/branching.ts'
import { frameUrl } from '../state/engine.ts'
import { stageText } from '../text/stage.ts'
import { Changes } from './Changes.tsx'

const words = stageText.consequence

/** What the acts did in a copy nobody needs: seen before they are allowed for real. */
export function ConsequenceView({ consequence }: { consequence: Consequence }) {
  const { before, after, changes, outputs, egress, diff } = consequence
  const said = outputs.filter((output) => output.trim() !== '')
  return (
    <section aria-label={words.title} className="space-y-2.5 rounded-md bg-sunken/60 p-3 text-sm">
      <h3 className="font-medium">{words.title}</h3>
      <div className="flex gap-3 max-md:flex-col">
        {(before ?? after) && (
          <div className="grid w-64 shrink-0 grid-cols-2 gap-2 max-md:w-full">
            {before && <Shot frame={before} title={words.before} />}
            {after && <Shot frame={after} title={words.after} />}
          </div>
        )}
        <ul className="min-w-0 flex-1 space-y-0.5">
          {changes.length === 0 && <li className="text-muted">{words.nothing}</li>}
          {changes.map((change) => (
            <li key={change} className="wrap-anywhere">
              {change}
            </li>
          ))}
        </ul>
      </div>
      {egress.length > 0 && (
        <p className="flex gap-2 text-warn">
          <Globe size={15} aria-hidden="true" className="mt-0.5 shrink-0" />
          <span className="min-w-0 wrap-anywhere">
            {words.egress} {[...new Set(egress.map(({ host, port }) => `${host}:${port}`))].join(', ')}
          </span>
        </p>
      )}
      {said.length > 0 && (
        <details>
          <summary className="text-lapis">{words.outputs}</summary>
          <pre className="mt-1 max-h-40 overflow-auto rounded-md bg-surface p-2 font-mono text-xs whitespace-pre-wrap wrap-anywhere">
            {said.join('\n')}
          </pre>
        </details>
      )}
      {changes.length > 0 && (
        <details>
          <summary className="text-lapis">{words.details}</summary>
          <div className="mt-2 max-h-60 overflow-y-auto">
            <Changes diff={diff} />
          </div>
        </details>
      )}
    </section>
  )
}

function Shot({ frame, title }: { frame: string; title: string }) {
  return (
    <figure>
      <a href={frameUrl(frame)} target="_blank" rel="noreferrer">
        <img src={frameUrl(frame)} alt={title} className="block w-full rounded-sm ring-1 ring-line" />
      </a>
      <figcaption className="mt-0.5 text-xs text-muted">{title}</figcaption>
    </figure>
  )
}
