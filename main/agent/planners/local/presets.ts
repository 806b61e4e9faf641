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

export function formatById(id: string): Format | undefined {
  return formats.find((format) => format.id === id)
}
