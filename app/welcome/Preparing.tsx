import type { Progress } from '../../main/contract/progress.ts'
import { ProgressBar } from '../parts/ProgressBar.tsx'
import { text } from '../text.ts'
import { wholeDuration } from '../time/format.ts'
import { useTimeLeft } from './useTimeLeft.ts'

const words = text.welcome.preparing

/** What is being done, how far it is, and how long it still takes where that can be said. */
export function Preparing({ progress }: { progress: Progress }) {
  const left = useTimeLeft(progress)
  const { step, detail } = progress
  return (
    <div className="space-y-2">
      <ProgressBar progress={progress} label={words.title} />
      <p className="flex justify-between gap-3 text-sm">
        <span className="min-w-0 truncate">
          {step}
          {detail && <span className="text-muted"> · {detail}</span>}
        </span>
        <span className="shrink-0 text-muted tabular-nums">
          {left === null ? words.unknown : words.left(wholeDuration(Math.max(1000, left)))}
        </span>
      </p>
    </div>
  )
}
