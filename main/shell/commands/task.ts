import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { describeAct } from '../../contract/action.ts'
import { Assertion } from '../../contract/assertion.ts'
import { GodHandError } from '../../contract/errors.ts'
import type { ApprovalAnswer, Task } from '../../contract/task.ts'
import { withEngine } from '../command-context.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Output } from '../output.ts'

/** Those that need nothing but the task. */
export type PlainMethod = 'task.pause' | 'task.stop' | 'task.takeOver'

export async function stepIn(method: PlainMethod, taskId: string, output: Output): Promise<number> {
  const task = await withEngine(output, { machines: false }, ({ client }) => client.call(method, { taskId }))
  return tell(task, output)
}

/** One word for both: whether it waits or was left behind is for the engine to know. */
export async function taskResume(taskId: string, output: Output): Promise<number> {
  const task = await withEngine(output, { machines: true }, async ({ client }) => {
    const { task: now } = await client.call('task.get', { taskId })
    return client.call(now.state === 'interrupted' ? 'task.resumeInterrupted' : 'task.resume', { taskId })
  })
  return tell(task, output)
}

export async function taskSay(
  method: 'task.guide' | 'task.answer',
  taskId: string,
  text: string,
  output: Output,
): Promise<number> {
  const task = await withEngine(output, { machines: false }, ({ client }) => client.call(method, { taskId, text }))
  return tell(task, output)
}

export async function taskApprove(taskId: string, answer: ApprovalAnswer, output: Output): Promise<number> {
  const task = await withEngine(output, { machines: false }, ({ client }) =>
    client.call('task.approve', { taskId, answer }),
  )
  return tell(task, output)
}

export async function taskCheckpoint(taskId: string, label: string | undefined, output: Output): Promise<number> {
  const snapshot = await withEngine(output, { machines: false }, ({ client }) =>
    client.call('task.checkpoint', { taskId, ...(label === undefined ? {} : { label }) }),
  )
  output.answer(snapshot, `${snapshot.id}${label === undefined ? '' : ` “${label}”`}`)
  return exitCodes.ok
}

export async function taskRollback(taskId: string, to: string, output: Output): Promise<number> {
  const task = await withEngine(output, { machines: false }, ({ client }) =>
    client.call('task.rollback', { taskId, to }),
  )
  output.answer(task, `${task.id} goes back to ${to} as soon as its step is over`)
  return exitCodes.ok
}

export async function taskHandBack(taskId: string, say: string | undefined, output: Output): Promise<number> {
  const words = say === undefined ? {} : { text: say }
  const task = await withEngine(output, { machines: false }, ({ client }) =>
    client.call('task.handBack', { taskId, ...words }),
  )
  return tell(task, output)
}

export type DeclareOptions = { failed?: boolean; checks?: string }

export async function taskDeclare(
  taskId: string,
  summary: string,
  { failed = false, checks: file }: DeclareOptions,
  output: Output,
): Promise<number> {
  const checks = file === undefined ? [] : await readChecks(file)
  const task = await withEngine(output, { machines: false }, ({ client }) =>
    client.call('task.declare', { taskId, success: !failed, summary, checks }),
  )
  return tell(task, output)
}

async function readChecks(file: string): Promise<Assertion[]> {
  try {
    return z.array(Assertion).parse(JSON.parse(await readFile(file, 'utf8')))
  } catch (cause) {
    const { message } = GodHandError.from(cause)
    throw new GodHandError('bad_request', `The checks in ${file} can't be read: ${message}`, { cause })
  }
}

function tell(task: Task, output: Output): number {
  output.answer(task, `${task.id} is ${stateOf(task)}`)
  return exitCodes.ok
}

function stateOf({ state, hold, waitingFor }: Task): string {
  if (waitingFor?.kind === 'question') return `waiting for an answer: ${waitingFor.text}`
  if (waitingFor) return `waiting for leave: ${waitingFor.acts.map(describeAct).join('; ')}`
  if (hold) return hold === 'paused' ? 'paused' : 'in your hands'
  return state
}
