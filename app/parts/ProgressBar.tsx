import type { Progress } from '../../main/contract/progress.ts'

/** How far it is; when nobody can say, it moves without claiming anything. */
export function ProgressBar({ progress, label }: { progress: Progress; label: string }) {
  const known = progress.total > 0
  const share = known ? Math.min(1, Math.max(0, progress.done / progress.total)) : 0
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuetext={progress.step}
      {...(known ? { 'aria-valuemin': 0, 'aria-valuemax': 100, 'aria-valuenow': Math.round(share * 100) } : {})}
      className="h-1.5 overflow-hidden rounded-full bg-ink/10"
    >
      {known ? (
        <div className="h-full rounded-full bg-lapis transition-[width]" style={{ width: `${share * 100}%` }} />
      ) : (
        <div className="sweep h-full w-1/3 rounded-full bg-lapis" />
      )}
    </div>
  )
}
