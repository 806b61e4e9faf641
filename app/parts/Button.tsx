import { LoaderCircle, type LucideIcon } from 'lucide-react'
import type { ButtonHTMLAttributes } from 'react'

const looks = {
  primary: 'bg-ink text-paper font-medium hover:bg-ink/85',
  plain: 'bg-raised text-ink shadow-card ring-1 ring-inset ring-line hover:ring-edge',
  quiet: 'text-muted hover:bg-ink/7 hover:text-ink',
  danger: 'bg-raised text-fail shadow-card ring-1 ring-inset ring-line hover:bg-fail-tint hover:ring-fail/40',
}
const sizes = { sm: 'h-7 px-2.5 text-sm gap-1.5', md: 'h-8.5 px-3.5 text-base gap-2' }

type Props = ButtonHTMLAttributes<HTMLButtonElement> & {
  look?: keyof typeof looks
  size?: keyof typeof sizes
  icon?: LucideIcon
  busy?: boolean
}

export function Button({ look = 'plain', size = 'md', icon: Icon, busy = false, children, ...rest }: Props) {
  const Shown = busy ? LoaderCircle : Icon
  return (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled || busy}
      aria-busy={busy || undefined}
      className={`inline-flex shrink-0 items-center justify-center rounded-md whitespace-nowrap transition-colors disabled:pointer-events-none disabled:opacity-50 ${looks[look]} ${sizes[size]} ${rest.className ?? ''}`}
    >
      {Shown && <Shown size={size === 'sm' ? 14 : 16} aria-hidden="true" className={busy ? 'animate-spin' : ''} />}
      {children}
    </button>
  )
}

type IconProps = Omit<Props, 'children'> & { icon: LucideIcon; label: string }

export function IconButton({ label, icon: Icon, look = 'quiet', busy = false, size = 'md', ...rest }: IconProps) {
  const Shown = busy ? LoaderCircle : Icon
  return (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled || busy}
      aria-label={label}
      title={label}
      className={`inline-grid shrink-0 place-items-center rounded-md transition-colors disabled:pointer-events-none disabled:opacity-40 ${size === 'sm' ? 'size-7' : 'size-8.5'} ${looks[look]} ${rest.className ?? ''}`}
    >
      <Shown size={16} aria-hidden="true" className={busy ? 'animate-spin' : ''} />
    </button>
  )
}
