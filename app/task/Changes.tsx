import type { ReactNode } from 'react'
import type { StateDiff } from '../../main/contract/state-diff.ts'
import { stageText } from '../text/stage.ts'
import { changesIn } from './changes-in.ts'

const words = stageText.changes

/** What is different in a machine, kind by kind; where a text changed, its lines. */
export function Changes({ diff }: { diff: StateDiff }) {
  const groups = changesIn(diff)
  return (
    <div className="space-y-3 text-sm">
      {groups.length === 0 && <p className="text-muted">{words.none}</p>}
      {groups.map(({ kind, lines }) => (
        <section key={kind}>
          <h4 className="mb-1 text-xs font-semibold text-muted">{words[kind]}</h4>
          <ul className="space-y-0.5">
            {lines.map(({ sign, what, detail }) => (
              <li key={`${sign}${what}`}>
                <Line sign={sign} what={what} />
                {detail && (
                  <details>
                    <summary className="ml-5 text-xs text-lapis">…</summary>
                    <pre className="mt-1 ml-5 max-h-52 overflow-auto rounded-md bg-sunken p-2 font-mono text-xs whitespace-pre-wrap wrap-anywhere">
                      {detail}
                    </pre>
                  </details>
                )}
              </li>
            ))}
          </ul>
        </section>
      ))}
      {diff.unknown.length > 0 && (
        <p className="text-xs wrap-anywhere text-muted">
          {words.unknown}: {diff.unknown.join('; ')}
        </p>
      )}
    </div>
  )
}

const colours = { '+': 'text-pass', '−': 'text-fail', '~': 'text-warn' }

function Line({ sign, what }: { sign: keyof typeof colours; what: ReactNode }) {
  return (
    <p className="flex gap-2">
      <span className={`w-3 shrink-0 text-center font-mono font-semibold ${colours[sign]}`}>{sign}</span>
      <span className="min-w-0 wrap-anywhere">{what}</span>
    </p>
  )
}
