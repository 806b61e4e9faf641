import { describeAct } from '../../contract/action.ts'
import type { ApprovalAnswer, Task } from '../../contract/task.ts'
import { withEngine } from '../command-context.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Output } from '../output.ts'

/** Those that need nothing but the task. */
export type PlainMethod = 'task.pause' | 'task.stop' | 'task.takeOver' | 'task.handBack'

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
