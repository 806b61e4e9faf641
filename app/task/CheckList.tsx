import { ChevronDown, CircleCheck, CircleX } from 'lucide-react'
import type { CheckedAssertion } from '../../main/contract/assertion.ts'
import { text } from '../text.ts'
import { duration } from '../time/format.ts'

/** What was checked and what was found; the evidence is a press away. */
export function CheckList({ checks }: { checks: readonly CheckedAssertion[] }) {
  return (
    <ul className="space-y-0.5">
      {checks.map(({ assertion, verdict }, index) => {
        const Icon = verdict.pass ? CircleCheck : CircleX
        const hasEvidence = Object.keys(verdict.evidence).length > 0
        return (
          <li key={index}>
            <details className="group text-sm">
              <summary className="-mx-1.5 flex gap-2 rounded-md px-1.5 py-0.5 transition-colors hover:bg-ink/5">
                <Icon
                  size={15}
                  aria-hidden="true"
                  className={`mt-0.5 shrink-0 ${verdict.pass ? 'text-pass' : 'text-fail'}`}
                />
                <span className="min-w-0 flex-1 wrap-anywhere">
                  <span className="sr-only">{verdict.pass ? text.task.verdicts.pass : text.task.verdicts.fail}: </span>
                  {verdict.summary}
                </span>
                <ChevronDown
                  size={14}
                  aria-hidden="true"
                  className="mt-1 shrink-0 text-muted transition-transform group-open:rotate-180"
                />
              </summary>
              <div className="mt-0.5 mb-1.5 ml-5.5 text-xs text-muted">
                <p>
                  <code className="font-mono">{assertion.check}</code>
                  {` · ${text.inspector.looked(verdict.samples, duration(verdict.tookMs))}`}
                </p>
                {hasEvidence && (
                  <pre className="mt-1 max-h-60 overflow-auto rounded-md bg-sunken p-2 font-mono text-xs whitespace-pre-wrap text-ink wrap-anywhere">
                    {JSON.stringify(verdict.evidence, null, 2)}
                  </pre>
                )}
              </div>
            </details>
          </li>
        )
      })}
    </ul>
  )
}
