import type { RetentionPolicyInput, TraceQueryInput } from '../../contract/trace.ts'
import { withEngine } from '../command-context.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import { shorten, table } from '../table.ts'

const megabytes = (bytes: number) => `${(bytes / 1024 ** 2).toFixed(1)} MB`

export async function traceSearch(query: TraceQueryInput, output: Output): Promise<number> {
  const page = await withEngine(output, { machines: false }, ({ client }) => client.call('trace.search', query))
  const rows = page.entries.map(({ task, tags, bytes, best }) => [
    task.id,
    task.state,
    shorten(task.goal, 40),
    tags.join(', '),
    megabytes(bytes),
    best ? `${best.stepIndex === null ? '' : `step ${best.stepIndex + 1}: `}${best.text}` : '',
  ])
  const text = table(['TRACE', 'STATE', 'GOAL', 'TAGS', 'SIZE', 'FOUND'], rows)
  output.answer(page, rows.length === 0 ? 'Nothing found.' : text)
  return exitCodes.ok
}

export async function traceTag(taskId: string, tag: string, remove: boolean, output: Output): Promise<number> {
  const answer = await withEngine(output, { machines: false }, ({ client }) =>
    client.call('trace.tag', { taskId, tag, on: !remove }),
  )
  output.answer(answer, answer.tags.length > 0 ? `${taskId}: ${answer.tags.join(', ')}` : `${taskId} has no tags`)
  return exitCodes.ok
}

/** What can be searched for by name. */
export async function traceFacets(output: Output): Promise<number> {
  const facets = await withEngine(output, { machines: false }, ({ client }) => client.call('trace.facets', {}))
  const rows = [
    ...facets.tags.map(({ tag, count }) => ['tag', tag, String(count)]),
    ...facets.apps.map(({ app, count }) => ['app', app, String(count)]),
  ]
  output.answer(facets, rows.length > 0 ? table(['KIND', 'NAME', 'TRACES'], rows) : 'No tags and no programs yet.')
  return exitCodes.ok
}

export async function traceDisk(output: Output): Promise<number> {
  const use = await withEngine(output, { machines: false }, ({ client }) => client.call('trace.diskUse', {}))
  const rows = [
    ['traces', String(use.traces), `${use.steps} steps`],
    ['pictures', String(use.frames.count), megabytes(use.frames.bytes)],
    ['of them shown by none', String(use.unused.count), megabytes(use.unused.bytes)],
    ['snapshots', String(use.snapshots.count), megabytes(use.snapshots.bytes)],
    ['database', '', megabytes(use.databaseBytes)],
  ]
  output.answer(use, table(['WHAT', 'HOW MANY', 'SIZE'], rows))
  return exitCodes.ok
}

export type RetentionOptions = {
  days?: number
  traces?: number
  megabytes?: number
  keep?: string[]
  off?: boolean
  dryRun?: boolean
  apply?: boolean
}

/** Shows the policy, sets one, says what it would remove, or removes it now. */
export async function traceRetention(options: RetentionOptions, output: Output): Promise<number> {
  const wanted = policyOf(options)
  return withEngine(output, { machines: false }, async ({ client }) => {
    if (options.dryRun) {
      const expired = await client.call('retention.preview', wanted ? { policy: wanted } : {})
      const rows = expired.map(({ taskId, goal, bytes, reason }) => [
        taskId,
        shorten(goal, 40),
        reason,
        megabytes(bytes),
      ])
      output.answer(
        expired,
        rows.length > 0 ? table(['TRACE', 'GOAL', 'BECAUSE OF', 'SIZE'], rows) : 'Nothing would go.',
      )
      return exitCodes.ok
    }
    if (options.off) await client.call('retention.set', { policy: null })
    else if (wanted) await client.call('retention.set', { policy: wanted })
    const freed = options.apply ? await client.call('retention.apply', {}) : null
    const { policy } = await client.call('retention.get', {})
    const limits = policy && [
      policy.maxAgeDays !== undefined && `${policy.maxAgeDays} days`,
      policy.maxTraces !== undefined && `${policy.maxTraces} traces`,
      policy.maxBytes !== undefined && megabytes(policy.maxBytes),
    ]
    const rule = limits
      ? `Kept: at most ${limits.filter(Boolean).join(', ')}; for ever what is tagged ${policy.keepTags.join(', ')}.`
      : 'Everything is kept.'
    const gone = freed ? `\n${freed.traces} traces are gone; ${megabytes(freed.bytes)} are free again.` : ''
    output.answer({ policy, freed }, `${rule}${gone}`)
    return exitCodes.ok
  })
}

function policyOf({ days, traces, megabytes: size, keep }: RetentionOptions): RetentionPolicyInput | null {
  if (days === undefined && traces === undefined && size === undefined) return null
  return {
    ...(days !== undefined && { maxAgeDays: days }),
    ...(traces !== undefined && { maxTraces: traces }),
    ...(size !== undefined && { maxBytes: Math.round(size * 1024 ** 2) }),
    ...(keep && { keepTags: keep }),
  }
}
