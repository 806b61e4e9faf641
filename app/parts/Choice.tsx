type Props<T extends string> = {
  label: string
  value: T
  options: readonly { value: T; label: string }[]
  onChange: (value: T) => void
}

/** One of several, as the platform's own list. */
export function Choice<T extends string>({ label, value, options, onChange }: Props<T>) {
  return (
    <select
      aria-label={label}
      title={label}
      value={value}
      onChange={(event) => {
        const chosen = options.find((option) => option.value === event.target.value)
        if (chosen) onChange(chosen.value)
      }}
      className="h-9 rounded-md bg-raised px-2.5 text-sm ring-1 ring-line ring-inset hover:ring-edge"
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  )
}
