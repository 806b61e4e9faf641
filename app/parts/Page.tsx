import type { ReactNode } from 'react'
import { useTitle } from './useTitle.ts'

type Props = { title: string; lead?: string; actions?: ReactNode; children: ReactNode }

/** A screen that reads from top to bottom. */
export function Page({ title, lead, actions, children }: Props) {
  useTitle(title)
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto max-w-240 space-y-6 px-6 py-8 max-md:px-4 max-md:py-5">
        <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
          <div>
            <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
            {lead && <p className="mt-1 max-w-140 text-muted">{lead}</p>}
          </div>
          {actions && <div className="flex gap-2">{actions}</div>}
        </header>
        {children}
      </div>
    </div>
  )
}
