import { useEffect, useState } from 'react'
import { z } from 'zod'
import type { MachineSize } from '../../main/contract/settings.ts'
import { ReadinessLine } from '../home/ReadinessLine.tsx'
import { Button } from '../parts/Button.tsx'
import { Choice } from '../parts/Choice.tsx'
import { ErrorNote } from '../parts/ErrorNote.tsx'
import { text } from '../text.ts'
import { memory } from '../time/format.ts'
import { useSettings } from './useSettings.ts'

const words = text.settings.machine
const memories = [512, 1024, 2048, 3072, 4096, 8192, 16_384].map((mb) => ({ value: String(mb), label: memory(mb) }))
const cpus = [1, 2, 3, 4, 6, 8].map((count) => ({ value: String(count), label: words.cpuCount(count) }))
const Count = z.coerce.number().int()

export function MachineSizes() {
  const { inForce, error, busy, save } = useSettings()
  const [size, setSize] = useState<MachineSize | null>(null)
  useEffect(() => {
    if (inForce) setSize(inForce.settings.machine)
  }, [inForce])
  if (!inForce) return error ? <ErrorNote error={error} /> : <p className="text-muted">{text.common.loading}</p>
  const usual = inForce.usualMachine
  return (
    <>
      <p className="text-muted">{words.lead}</p>
      <form
        className="space-y-3 rounded-lg bg-surface p-4 shadow-card ring-1 ring-line"
        onSubmit={(event) => {
          event.preventDefault()
          void save({ machine: size })
        }}
      >
        <fieldset className="grid gap-2">
          <legend className="sr-only">{words.size}</legend>
          <label className="flex items-center gap-2.5">
            <input
              type="radio"
              name="size"
              checked={size === null}
              onChange={() => setSize(null)}
              className="size-4 accent-lapis"
            />
            {words.usual(memory(usual.memoryMb), words.cpuCount(usual.cpus))}
          </label>
          <label className="flex items-center gap-2.5">
            <input
              type="radio"
              name="size"
              checked={size !== null}
              onChange={() => setSize(usual)}
              className="size-4 accent-lapis"
            />
            {words.own}
          </label>
        </fieldset>
        {size && (
          <div className="flex gap-3 pl-6.5">
            <Choice
              label={words.memory}
              value={String(size.memoryMb)}
              options={memories}
              onChange={(mb) => setSize({ ...size, memoryMb: Count.parse(mb) })}
            />
            <Choice
              label={words.cpus}
              value={String(size.cpus)}
              options={cpus}
              onChange={(count) => setSize({ ...size, cpus: Count.parse(count) })}
            />
          </div>
        )}
        <Button type="submit" look="primary" busy={busy}>
          {text.settings.save}
        </Button>
      </form>
      <ReadinessLine />
    </>
  )
}
