import path from 'node:path'
import type { Task } from '../../contract/task.ts'
import type { ExportFormat } from '../../contract/trace.ts'
import { withEngine } from '../command-context.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import { localTime, shorten, table } from '../table.ts'
import { traceText } from '../trace-text.ts'

export async function traceList(limit: number | undefined, output: Output): Promise<number> {
  const tasks = await withEngine(output, { machines: false }, ({ client }) =>
    client.call('task.list', limit === undefined ? {} : { limit }),
  )
  output.answer(tasks, tasks.length === 0 ? 'No traces yet. Make one with: npx godhand run --demo' : listText(tasks))
  return exitCodes.ok
}

export async function traceShow(taskId: string, output: Output): Promise<number> {
  const trace = await withEngine(output, { machines: false }, ({ client }) => client.call('task.get', { taskId }))
  output.answer(trace, traceText(trace.task, trace.steps))
  return exitCodes.ok
}

export async function traceSearch(text: string, output: Output): Promise<number> {
  const page = await withEngine(output, { machines: false }, ({ client }) => client.call('trace.search', { text }))
  const rows = page.entries.map(({ task, best }) => [task.id, task.state, shorten(task.goal, 40), best?.text ?? ''])
  output.answer(page, rows.length === 0 ? 'Nothing found.' : table(['TRACE', 'STATE', 'GOAL', 'FOUND'], rows))
  return exitCodes.ok
}

export async function traceExport(taskId: string, format: ExportFormat, to: string, output: Output): Promise<number> {
  const file = path.resolve(to) // the engine may have been started elsewhere
  const exported = await withEngine(output, { machines: false }, ({ client }) =>
    client.call('trace.export', { taskId, format, file }),
  )
  output.answer(exported, `${file}  ${(exported.bytes / 1024 ** 2).toFixed(1)} MB`)
  return exitCodes.ok
}

/** Needs no engine: anyone may check what they were given. */
export async function traceVerify(file: string, output: Output): Promise<number> {
  const { verifyBundle } = await import('../../trace/bundle/verify-bundle.ts')
  const report = await verifyBundle(path.resolve(file))
  const problems = report.problems.map(({ where, message }) => `  ${where}: ${message}`).join('\n')
  const good = `Sound: ${report.steps} steps, ${report.frames} pictures\n${report.sha256}`
  output.answer(report, report.ok ? good : `Not to be trusted:\n${problems}`)
  return report.ok ? exitCodes.ok : exitCodes.failed
}

export async function traceImport(file: string, copy: boolean, output: Output): Promise<number> {
  const task = await withEngine(output, { machines: false }, ({ client }) =>
    client.call('trace.import', { file: path.resolve(file), copy }),
  )
  output.answer(task, `${task.id}  ${task.goal}`)
  return exitCodes.ok
}

export async function traceDelete(taskId: string, output: Output): Promise<number> {
  const freed = await withEngine(output, { machines: false }, ({ client }) => client.call('trace.delete', { taskId }))
  output.answer(freed, `${taskId} is gone; ${(freed.bytes / 1024 ** 2).toFixed(1)} MB are free again`)
  return exitCodes.ok
}

function listText(tasks: Task[]): string {
  return table(
    ['TRACE', 'STATE', 'STEPS', 'CREATED', 'GOAL'],
    tasks.map((task) => [
      task.id,
      task.state,
      String(task.stepCount),
      localTime(task.createdAt),
      shorten(task.goal, 60),
    ]),
  )
}
