import path from 'node:path'
import type { Task } from '../../contract/task.ts'
import { withEngine } from '../command-context.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import { localTime, shorten, table } from '../table.ts'
import { taskText, traceText } from '../trace-text.ts'

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

/** Needs no engine: anyone may check what they were given. */
export async function traceVerify(file: string, output: Output): Promise<number> {
  const { verifyBundle } = await import('../../trace/bundle/verify-bundle.ts')
  const report = await verifyBundle(path.resolve(file))
  const problems = report.problems.map(({ where, message }) => `  ${where}: ${message}`).join('\n')
  const machines = report.machines > 0 ? `, ${report.machines} machines` : ''
  const good = `Sound: ${report.steps} steps, ${report.frames} pictures${machines}\n${report.sha256}`
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

export async function traceDelete(taskId: string, machines: boolean, output: Output): Promise<number> {
  const freed = await withEngine(output, { machines: false }, ({ client }) =>
    client.call('trace.delete', { taskId, machines }),
  )
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

/** `step` as people count, from one. */
export async function traceBoot(taskId: string, step: number, before: boolean, output: Output): Promise<number> {
  const booted = await withEngine(output, { machines: true }, ({ client }) =>
    client.call('trace.boot', { taskId, step: step - 1, moment: before ? 'before' : 'after' }),
  )
  if (booted.kind === 'machine') {
    output.answer(booted, liveText(booted.machine.id))
    return exitCodes.ok
  }
  output.note(
    `It was not kept at that step: ${booted.steps} steps are done again ${booted.fromSnapshot ? `from ${booted.fromSnapshot}` : 'on a fresh desktop'}.`,
  )
  const { watchTask } = await import('./run.ts')
  return watchTask(
    output,
    async (client) => (await client.call('task.get', { taskId: booted.task.id })).task,
    (task) => (task.state === 'succeeded' && task.machineId ? liveText(task.machineId) : taskText(task)),
  )
}

function liveText(machineId: string): string {
  return `${machineId} is live. See it: npx godhand open; end it: npx godhand vm destroy ${machineId}`
}
