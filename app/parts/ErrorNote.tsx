import { CircleAlert } from 'lucide-react'
import type { ErrorInfo } from '../../main/contract/errors.ts'
import { Prose } from './Prose.tsx'

/** What happened, and what to do about it. */
export function ErrorNote({ error }: { error: Pick<ErrorInfo, 'message' | 'hint'> }) {
  return (
    <div role="alert" className="flex gap-2.5 rounded-md bg-fail-tint px-3 py-2.5 text-sm">
      <CircleAlert size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-fail" />
      <div className="min-w-0 space-y-0.5 wrap-anywhere">
        <p className="font-medium text-fail">
          <Prose>{error.message}</Prose>
        </p>
        {error.hint && (
          <p className="text-ink">
            <Prose>{error.hint}</Prose>
          </p>
        )}
      </div>
    </div>
  )
}
