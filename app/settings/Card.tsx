import type { ReactNode } from 'react'

type Props = { title?: string; detail?: string; children: ReactNode }

export function Card({ title, detail, children }: Props) {
  return (
    <section aria-label={title} className="space-y-3 rounded-lg bg-surface p-4 shadow-card ring-1 ring-line">
      {(title || detail) && (
        <div>
          {title && <h3 className="font-semibold">{title}</h3>}
          {detail && <p className="text-sm text-muted">{detail}</p>}
        </div>
      )}
      {children}
    </section>
  )
}
