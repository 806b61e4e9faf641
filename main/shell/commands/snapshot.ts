import path from 'node:path'
import { describeDiff } from '../../contract/describe-diff.ts'
import { withEngine } from '../command-context.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import { localTime, table } from '../table.ts'

const GB = 1024 ** 3
const megabytes = (bytes: number) => `${(bytes / 1024 ** 2).toFixed(1)} MB`

export async function snapshotList(output: Output): Promise<number> {
  const use = await withEngine(output, { machines: false }, ({ client }) => client.call('snapshot.usage', {}))
  const rows = use.snapshots.map(({ snapshot, ownBytes, sharedBytes }) => [
    snapshot.id,
    snapshot.parentId ?? '',
    megabytes(ownBytes),
    megabytes(sharedBytes),
    localTime(snapshot.createdAt),
    `${snapshot.pinned ? '(pinned) ' : ''}${snapshot.label ?? ''}`,
  ])
  const used = use.snapshots.reduce((sum, { ownBytes }) => sum + ownBytes, 0)
  const total = `${megabytes(used)} of a budget of ${(use.budgetBytes / GB).toFixed(1)} GB`
  const heading = ['SNAPSHOT', 'PARENT', 'OWN', 'SHARED', 'TAKEN', 'LABEL']
  output.answer(use, rows.length === 0 ? 'No snapshots.' : `${table(heading, rows)}\n${total}`)
  return exitCodes.ok
}

export async function snapshotCompare(from: string, to: string, output: Output): Promise<number> {
  const diff = await withEngine(output, { machines: true }, ({ client }) =>
    client.call('snapshot.compare', { from, to }),
  )
  output.answer(diff, describeDiff(diff).join('\n') || 'Nothing differs but perhaps the screen.')
  return exitCodes.ok
}

export async function snapshotLabel(snapshotId: string, label: string | null, output: Output): Promise<number> {
  const snapshot = await withEngine(output, { machines: false }, ({ client }) =>
    client.call('snapshot.label', { snapshotId, label }),
  )
  output.answer(snapshot, label === null ? `${snapshotId} has no name now` : `${snapshotId} is “${label}” now`)
  return exitCodes.ok
}

export async function snapshotPin(snapshotId: string, pinned: boolean, output: Output): Promise<number> {
  const snapshot = await withEngine(output, { machines: false }, ({ client }) =>
    client.call('snapshot.pin', { snapshotId, pinned }),
  )
  output.answer(snapshot, `${snapshotId} is ${pinned ? 'pinned' : 'not pinned any more'}`)
  return exitCodes.ok
}

export async function snapshotVerify(snapshotId: string, output: Output): Promise<number> {
  await withEngine(output, { machines: false }, ({ client }) => client.call('snapshot.verify', { snapshotId }))
  output.answer({ sound: true }, `${snapshotId} is sound`)
  return exitCodes.ok
}

export async function snapshotRemove(snapshotId: string, output: Output): Promise<number> {
  const removed = await withEngine(output, { machines: false }, ({ client }) =>
    client.call('snapshot.remove', { snapshotId }),
  )
  output.answer(removed, `${snapshotId} is gone; ${megabytes(removed.freedBytes)} are free again`)
  return exitCodes.ok
}

type CollectOptions = { budget?: number; includeNamed?: boolean; dryRun?: boolean }

export async function snapshotCollect(options: CollectOptions, output: Output): Promise<number> {
  const { budget, includeNamed = false, dryRun = false } = options
  const collected = await withEngine(output, { machines: false }, async ({ client }) => {
    if (budget !== undefined) await client.call('snapshot.budget', { bytes: Math.round(budget * GB) })
    return client.call('snapshot.collect', { includeNamed, dryRun })
  })
  const { removed, needsConsent, beforeBytes, afterBytes } = collected
  const went = `${removed.length} ${dryRun ? 'would go' : 'went'}: ${megabytes(beforeBytes)} → ${megabytes(afterBytes)}`
  const ask = `Still over the budget. These you have named: ${needsConsent.join(', ')} (--include-named removes them).`
  output.answer(collected, needsConsent.length > 0 ? `${went}\n${ask}` : went)
  return exitCodes.ok
}

export async function snapshotCompress(output: Output): Promise<number> {
  const answer = await withEngine(output, { machines: false }, ({ client }) =>
    client.call('snapshot.compress', { olderThanMinutes: 0 }),
  )
  output.answer(answer, `${megabytes(answer.savedBytes)} saved`)
  return exitCodes.ok
}

export async function snapshotMove(folder: string, output: Output): Promise<number> {
  const answer = await withEngine(output, { machines: false }, ({ client }) =>
    client.call('snapshot.move', { folder: path.resolve(folder) }),
  )
  output.answer(answer, `The snapshots are in ${answer.folder} now`)
  return exitCodes.ok
}
