import { Plus, X } from 'lucide-react'
import { Button, IconButton } from '../parts/Button.tsx'
import { Choice } from '../parts/Choice.tsx'
import { Field } from '../parts/Field.tsx'
import type { Size } from '../task/Picture.tsx'
import { tracesText } from '../text/traces.ts'
import type { Rectangle } from './draft.ts'

const words = tracesText.redact
const sides = ['x', 'y', 'width', 'height'] as const
const styles = (['black', 'pixelate'] as const).map((value) => ({ value, label: words.styles[value] }))

type Props = {
  rectangles: readonly Rectangle[]
  frame: string | undefined // the picture in sight
  size: Size
  onChange: (rectangles: readonly Rectangle[]) => void
  onAdd: () => void
}

/** Where the screen is covered, to the pixel, for hands on a keyboard as well. */
export function RectangleList({ rectangles, frame, size, onChange, onAdd }: Props) {
  const set = (id: number, part: Partial<Rectangle>) =>
    onChange(rectangles.map((one) => (one.id === id ? { ...one, ...part } : one)))
  return (
    <section aria-label={words.regions} className="space-y-2">
      <h3 className="font-medium">{words.regions}</h3>
      {rectangles.length === 0 && <p className="text-sm text-muted">{words.draw}</p>}
      {rectangles.map((one, index) => (
        <fieldset key={one.id} className="space-y-2 rounded-md p-2.5 ring-1 ring-line">
          <legend className="sr-only">{words.region(index + 1)}</legend>
          <div className="flex items-center justify-between text-sm">
            <span aria-hidden="true">{words.region(index + 1)}</span>
            <IconButton
              size="sm"
              icon={X}
              label={words.removeRegion(index + 1)}
              onClick={() => onChange(rectangles.filter(({ id }) => id !== one.id))}
            />
          </div>
          <div className="grid grid-cols-[repeat(auto-fit,minmax(4.25rem,1fr))] gap-1.5">
            {sides.map((side) => (
              <Field
                key={side}
                label={words.sides[side]}
                type="number"
                min={side === 'x' || side === 'y' ? 0 : 1}
                max={side === 'x' || side === 'width' ? size.width : size.height}
                value={one.region[side]}
                onChange={({ target: { valueAsNumber, min } }) => {
                  const value = Math.round(valueAsNumber)
                  if (value >= Number(min)) set(one.id, { region: { ...one.region, [side]: value } })
                }}
                className="px-1.5!"
              />
            ))}
          </div>
          <div className="flex items-center justify-between gap-2">
            <Choice
              label={words.style}
              value={one.style}
              options={styles}
              onChange={(style) => set(one.id, { style })}
            />
            <label className="flex items-center gap-2 text-sm">
              <input
                type="checkbox"
                checked={one.frame === null}
                disabled={!frame}
                onChange={(event) => set(one.id, { frame: event.target.checked ? null : (frame ?? null) })}
              />
              {words.everywhere}
            </label>
          </div>
        </fieldset>
      ))}
      <Button size="sm" icon={Plus} onClick={onAdd}>
        {words.addRegion}
      </Button>
    </section>
  )
}
