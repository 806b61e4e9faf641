import type { InputHTMLAttributes } from 'react'

type Props = InputHTMLAttributes<HTMLInputElement> & { label: string; hint?: string }

/** A line to fill in, with its name above it. */
export function Field({ label, hint, className = '', ...input }: Props) {
  return (
    <label className="grid gap-1 text-xs text-muted">
      {label}
      <input
        {...input}
        className={`h-8.5 min-w-0 rounded-md bg-raised px-2.5 text-sm text-ink ring-1 ring-line ring-inset placeholder:text-muted hover:ring-edge ${className}`}
      />
      {hint && <span>{hint}</span>}
    </label>
  )
}
