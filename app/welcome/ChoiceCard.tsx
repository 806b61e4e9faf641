import type { LucideIcon } from 'lucide-react'
import { type ReactNode, useId } from 'react'

type Props = { icon: LucideIcon; title: string; detail: string; children: ReactNode }

export function ChoiceCard({ icon: Icon, title, detail, children }: Props) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="flex flex-col gap-3 rounded-lg bg-surface p-5 shadow-card ring-1 ring-line focus-within:ring-edge"
    >
      <span className="grid size-10 place-items-center rounded-full bg-ink/6">
        <Icon size={19} aria-hidden="true" />
      </span>
      <div className="flex-1">
        <h3 id={id} className="text-lg font-semibold">
          {title}
        </h3>
        <p className="mt-1 text-sm text-muted">{detail}</p>
      </div>
      <div className="space-y-2.5">{children}</div>
    </section>
  )
}
