import { useId } from 'react'

type Props<T extends string> = {
  label: string
  value: T
  options: readonly { value: T; label: string }[]
  onChange: (value: T) => void
}

/** One of a few, as radio buttons: arrow keys and screen readers know what to do with them. */
export function Segmented<T extends string>({ label, value, options, onChange }: Props<T>) {
  const name = useId()
  return (
    <fieldset className="inline-flex h-8.5 rounded-md bg-sunken p-0.5 ring-1 ring-line/60 ring-inset">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className="relative grid place-items-center rounded-[6px] px-2.5 text-sm text-muted transition-colors hover:text-ink has-checked:bg-raised has-checked:text-ink has-checked:shadow-card has-focus-visible:outline-2 has-focus-visible:outline-lapis"
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="absolute inset-0 opacity-0"
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}
