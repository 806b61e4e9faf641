/** A sentence of the engine's, with what stands in `backticks` set as something to type. */
export function Prose({ children }: { children: string }) {
  return children.split('`').map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <code key={`${index} ${part}`} className="rounded-sm bg-ink/8 px-1 py-px font-mono text-[0.93em]">
        {part}
      </code>
    ),
  )
}
