import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

export type Tone = 'plain' | 'lapis' | 'pass' | 'fail' | 'warn'

const tones: Record<Tone, string> = {
  plain: 'bg-ink/7 text-muted',
  lapis: 'bg-lapis-tint text-lapis',
  pass: 'bg-pass-tint text-pass',
  fail: 'bg-fail-tint text-fail',
  warn: 'bg-warn-tint text-warn',
}

type Props = { tone?: Tone; icon?: LucideIcon; alive?: boolean; children: ReactNode }

/** A state in a word. `alive` puts a pulsing dot before it. */
export function Chip({ tone = 'plain', icon: Icon, alive = false, children }: Props) {
  return (
    <span
      className={`inline-flex h-5.5 shrink-0 items-center gap-1.5 rounded-full px-2 text-xs font-medium whitespace-nowrap ${tones[tone]}`}
    >
      {alive && <span className="spark size-1.5 rounded-full bg-current" />}
      {Icon && <Icon size={12} strokeWidth={2.5} aria-hidden="true" />}
      {children}
    </span>
  )
}
