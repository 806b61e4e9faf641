import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

type Props = { icon: LucideIcon; title: string; detail: string; children?: ReactNode }

export function EmptyState({ icon: Icon, title, detail, children }: Props) {
  return (
    <div className="grid justify-items-center gap-1 rounded-lg border border-dashed border-line px-6 py-10 text-center">
      <span className="mb-2 grid size-10 place-items-center rounded-full bg-ink/6 text-muted">
        <Icon size={18} aria-hidden="true" />
      </span>
      <p className="font-medium">{title}</p>
      <p className="max-w-96 text-sm text-muted">{detail}</p>
      {children && <div className="mt-4">{children}</div>}
    </div>
  )
}
