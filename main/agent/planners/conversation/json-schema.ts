import { z } from 'zod'

/** Statements that name a frame by its hash: a model has none to give. */
const NOT_FOR_MODELS = new Set(['region_equals', 'region_differs'])
/** Bounds are checked when a call comes in; a model pays for each of these words and heeds none. */
const NOISE = new Set([
  '$schema',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'minLength',
  'maxLength',
  'maxItems',
  'pattern',
])

export type ObjectSchema = { type: 'object'; properties: Record<string, unknown> } & Record<string, unknown>

/** A tool's input for a model to read: what the schema says, without what is of no use to it. */
export function inputSchemaOf(schema: z.ZodType): ObjectSchema {
  const plain = JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io: 'input' })).replaceAll('__schema0', 'assertion'))
  const { properties, ...rest } = z.looseObject({ properties: z.record(z.string(), z.unknown()) }).parse(slim(plain))
  return { ...rest, type: 'object', properties }
}

function slim(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => !isHidden(item)).map(slim)
  if (value === null || typeof value !== 'object') return value
  const kept = Object.entries(value).filter(([key, item]) => !NOISE.has(key) || typeof item === 'object')
  return Object.fromEntries(kept.filter(([key]) => key !== 'sinceFrame').map(([key, item]) => [key, slim(item)]))
}

function isHidden(item: unknown): boolean {
  const variant = z.object({ properties: z.object({ check: z.object({ const: z.string() }) }) }).safeParse(item)
  return variant.success && NOT_FOR_MODELS.has(variant.data.properties.check.const)
}
