import { Info } from 'lucide-react'

/** What a person should know about a step beside what was done: what was overcome, what nobody checked. */
export function NoticeList({ notices }: { notices: readonly string[] }) {
  return (
    <ul className="space-y-1 text-sm text-muted">
      {notices.map((notice, index) => (
        <li key={index} className="flex gap-1.5 wrap-anywhere">
          <Info size={14} aria-hidden="true" className="mt-0.75 shrink-0" />
          {notice}
        </li>
      ))}
    </ul>
  )
}
