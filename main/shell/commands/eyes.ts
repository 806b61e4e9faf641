import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Action } from '../../contract/action.ts'
import type { Assertion } from '../../contract/assertion.ts'
import type { Region } from '../../contract/geometry.ts'
import type { Input } from '../../contract/rpc.ts'
import { withEngine } from '../command-context.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import { milliseconds } from '../table.ts'

const awake = { machines: false } as const

export async function vmActAndSettle(machineId: string, action: Action, output: Output): Promise<number> {
  const result = await withEngine(output, awake, ({ client }) =>
    client.call('vm.act', { machineId, action, settle: true }),
  )
  const { settle, text } = result
  const rest = settle
    ? `${settle.settled ? 'At rest' : 'Still moving'} after ${milliseconds(settle.tookMs)}; changed: ${settle.boxes.map(placeOf).join(' · ') || 'nothing'}`
    : ''
  output.answer(result, [text, rest].filter(Boolean).join('\n'))
  return exitCodes.ok
}

export async function vmRead(machineId: string, region: Region | undefined, output: Output): Promise<number> {
  const wish = { machineId, ...(region ? { region } : {}) }
  const read = await withEngine(output, awake, ({ client }) => client.call('vm.read', wish))
  output.answer(read, read.lines.map(({ text }) => text).join('\n'))
  return exitCodes.ok
}

export async function vmFind(
  machineId: string,
  query: Omit<Input<'vm.find'>, 'machineId'>,
  output: Output,
): Promise<number> {
  const result = await withEngine(output, awake, ({ client }) => client.call('vm.find', { machineId, ...query }))
  const lines = result.found.map(({ point, line }) => `${point.x}, ${point.y}  ${line}`)
  output.answer(result, lines.join('\n') || `“${query.text}” is not on the screen.`)
  return result.found.length > 0 ? exitCodes.ok : exitCodes.failed
}

export async function vmMarks(machineId: string, file: string | undefined, output: Output): Promise<number> {
  const { result, png } = await withEngine(output, awake, async ({ client, engine }) => {
    const result = await client.call('vm.marks', { machineId })
    return { result, png: await engine.framePng(result.picture) }
  })
  const target = await written(file, png)
  const lines = result.marks.map(
    ({ number, kind, text, point }) => `${number}. ${text || `(${kind})`}  ${point.x}, ${point.y}`,
  )
  output.answer({ ...result, ...target }, [...lines, target.file ?? ''].filter(Boolean).join('\n'))
  return exitCodes.ok
}

export async function vmZoom(
  machineId: string,
  region: Region,
  file: string | undefined,
  output: Output,
): Promise<number> {
  const { result, png } = await withEngine(output, awake, async ({ client, engine }) => {
    const result = await client.call('vm.zoom', { machineId, region })
    return { result, png: await engine.framePng(result.frame) }
  })
  const target = await written(file ?? `${machineId}-zoom.png`, png)
  output.answer({ ...result, ...target }, `${target.file}  ${result.width}×${result.height}`)
  return exitCodes.ok
}

export async function vmCheck(
  machineId: string,
  assertion: Assertion,
  timeoutSeconds: number | undefined,
  output: Output,
): Promise<number> {
  const wish = { machineId, assertion, ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }) }
  const verdict = await withEngine(output, awake, ({ client }) => client.call('vm.check', wish))
  output.answer(verdict, `${verdict.pass ? '✓' : '✗'} ${verdict.summary}`)
  return verdict.pass ? exitCodes.ok : exitCodes.failed
}

export async function vmWatch(
  machineId: string,
  { since, timeout }: { since?: string; timeout?: number },
  output: Output,
): Promise<number> {
  const wish = {
    machineId,
    ...(since === undefined ? {} : { since }),
    ...(timeout === undefined ? {} : { timeoutSeconds: timeout }),
  }
  const news = await withEngine(output, awake, ({ client }) => client.call('vm.change', wish))
  output.answer(news, news.changed ? `Changed: ${news.boxes.map(placeOf).join(' · ')}` : 'Nothing has changed.')
  return news.changed ? exitCodes.ok : exitCodes.failed
}

/** With a file: the two screens and what differs between them, as one picture. */
export async function vmDiff(
  machineId: string,
  since: string,
  file: string | undefined,
  output: Output,
): Promise<number> {
  const { result, png } = await withEngine(output, awake, async ({ client, engine }) => {
    const result = await client.call('vm.diff', { machineId, since })
    if (file === undefined) return { result, png: null }
    const before = (await client.call('snapshot.list', {})).find(({ id }) => id === since)?.frame
    const { frame: after } = await client.call('vm.screenshot', { machineId })
    const picture = await client.call('frame.compare', { before: before ?? after, after })
    return { result, png: await engine.framePng(picture.frame) }
  })
  const target = png ? await written(file, png) : {}
  output.answer({ ...result, ...target }, result.changes.join('\n') || 'Nothing but the screen has changed.')
  return exitCodes.ok
}

async function written(file: string | undefined, png: Uint8Array): Promise<{ file?: string }> {
  if (file === undefined) return {}
  const target = path.resolve(file)
  await writeFile(target, png)
  return { file: target }
}

function placeOf({ x, y, width, height }: Region): string {
  return `${width}×${height} at ${x}, ${y}`
}
