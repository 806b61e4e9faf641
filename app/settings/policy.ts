import type { RetentionPolicy, RetentionPolicyInput } from '../../main/contract/trace.ts'

/** A policy as it stands in the fields. */
export type TypedPolicy = { maxAgeDays: string; maxTraces: string; maxGb: string; keepTags: string }

const GB = 1024 ** 3

export const typedOf = (policy: RetentionPolicy | null): TypedPolicy => ({
  maxAgeDays: asTyped(policy?.maxAgeDays),
  maxTraces: asTyped(policy?.maxTraces),
  maxGb: asTyped(policy?.maxBytes === undefined ? undefined : Math.round((policy.maxBytes / GB) * 100) / 100),
  keepTags: (policy?.keepTags ?? ['keep']).join(', '),
})

/** Null where no limit is named: everything is kept. */
export function policyOf({ maxAgeDays, maxTraces, maxGb, keepTags }: TypedPolicy): RetentionPolicyInput | null {
  const [age, traces, gb] = [maxAgeDays, maxTraces, maxGb].map(limitOf)
  const days = age || undefined // no trace is younger than none
  if (days === undefined && traces === undefined && gb === undefined) return null
  return {
    ...(days !== undefined && { maxAgeDays: days }),
    ...(traces !== undefined && { maxTraces: Math.round(traces) }),
    ...(gb !== undefined && { maxBytes: Math.round(gb * GB) }),
    keepTags: keepTags
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
  }
}

const asTyped = (limit: number | undefined) => (limit === undefined ? '' : String(limit))

function limitOf(typed: string): number | undefined {
  const limit = typed.trim() === '' ? Number.NaN : Number(typed)
  return Number.isFinite(limit) && limit >= 0 ? limit : undefined
}
