import type { Act } from '../../contract/action.ts'
import type { OnProgress } from '../../contract/progress.ts'
import type { ActResult } from '../../contract/task.ts'
import { stepsOfTheLine, type TraceSource } from './source.ts'

export type Done = { id: string; act: Act; result: ActResult }

/** How one provider writes a conversation about a screen. Pictures are PNG in base64, or null when they were lost. */
export type MessageShape = {
  goal(text: string, screen: string | null): object[]
  turn(thought: string, done: Done[]): object[]
  outcome(done: Done[], checks: string[], screen: string | null): object[]
  ending(text: string): object[]
}

/** One trace, one line: {"messages":[…]}, written bit by bit, so that files of several traces can be put together. */
export async function* conversationOf(
  source: TraceSource,
  shape: MessageShape,
  onProgress?: OnProgress,
): AsyncGenerator<string> {
  const { task } = source
  const picture = async (hash: string | null) => (hash && (await source.frame(hash))?.toString('base64')) || null
  let begun = false
  const written = (messages: object[]) =>
    messages.map((message) => {
      const separator = begun ? ',' : ''
      begun = true
      return separator + JSON.stringify(message)
    })
  yield '{"messages":['
  for await (const step of stepsOfTheLine(source)) {
    onProgress?.({ step: 'Writing messages', done: step.index, total: task.stepCount })
    if (step.index === 0) yield* written(shape.goal(task.goal, await picture(step.before)))
    const done = step.actions.map(({ act, result }, n) => ({ id: `call_${step.index + 1}_${n + 1}`, act, result }))
    yield* written(shape.turn(step.thought, done))
    const checks = step.checks.map(({ verdict }) => `${verdict.pass ? 'Verified' : 'Not so'}: ${verdict.summary}`)
    yield* written(shape.outcome(done, checks, await picture(step.after)))
  }
  if (task.stepCount === 0) yield* written(shape.goal(task.goal, null))
  yield* written(shape.ending(task.verdict ?? task.error?.message ?? task.state))
  const about = {
    source: 'godhand',
    id: task.id,
    state: task.state,
    planner: task.planner,
    success: task.state === 'succeeded',
  }
  yield `],"metadata":${JSON.stringify(about)}}\n`
}

/** What the one who acted is told about it. */
export function resultText({ result }: Done): string {
  return result.error ? `Failed: ${result.error.message}` : (result.text ?? 'Done.')
}
