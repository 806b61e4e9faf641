import { GodHandError } from '../../../contract/errors.ts'
import type { Format } from './formats/format.ts'
import { holo } from './formats/holo.ts'
import { qwen3, qwen25 } from './formats/qwen.ts'
import { plainTools } from './formats/tools.ts'
import { uiTars } from './formats/ui-tars.ts'

/** From the particular to the general: the last one fits every name. */
export const formats: Format[] = [uiTars, holo, qwen25, qwen3, plainTools]

/** The format a model speaks, by its name. */
export function formatFor(model: string): Format {
  return formats.find(({ models }) => models.test(model)) ?? plainTools
}

/** The one that was named, or the one that fits the model. */
export function formatNamed(id: string | undefined, model: string): Format {
  const format = id === undefined ? formatFor(model) : formats.find((one) => one.id === id)
  if (format) return format
  throw new GodHandError('bad_request', `There is no model format called ${id}.`, {
    hint: `There are: ${formats.map((one) => one.id).join(', ')}.`,
  })
}
