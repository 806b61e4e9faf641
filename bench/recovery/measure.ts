import type { RunTaskInput, Task } from '../../main/contract/task.ts'
import type { Engine } from '../../main/engine.ts'

export type Mode = 'without' | 'with'
export type Run = { succeeded: boolean; rollbacks: number; seconds: number }

const ATTEMPTS = 7

/**
 * Work is done, then comes a step that ruins it 40 % of the time. Doing that step again would not help: what it needs is
 * gone. Only a machine that is put back has another chance.
 */
export function flakyTask(mode: Mode): RunTaskInput {
  const holds = (text: string) => ({ check: 'file_content' as const, path: '/home/user/work/result', text })
  const script = {
    goal: 'Build a result with a tool that ruins everything now and then',
    steps: [
      {
        say: 'The work so far.',
        do: [{ type: 'exec' as const, command: 'mkdir -p ~/work && echo draft > ~/work/result' }],
        expect: [holds('draft')],
        timeoutSeconds: 5,
      },
      {
        say: 'The tool that cannot be trusted.',
        do: [
          {
            type: 'exec' as const,
            command: 'if [ "$LUCK" -lt 40 ]; then rm -rf ~/work; else echo done >> ~/work/result; fi',
          },
        ],
        expect: [holds('done')],
        timeoutSeconds: 0.5,
      },
    ],
    finish: [holds('draft\ndone')],
    finishTimeoutSeconds: 5,
  }
  return {
    goal: script.goal,
    planner: { kind: 'script', script },
    ...(mode === 'with' ? { recovery: { after: 1, times: ATTEMPTS - 1 } } : {}),
  }
}

export async function runOnce(engine: Engine, mode: Mode): Promise<Run> {
  const began = performance.now()
  const ended = Promise.withResolvers<Task>()
  const started = { id: '' }
  const off = engine.onEvent((event) => {
    if (event.type === 'task' && event.task.id === started.id && event.task.endedAt) ended.resolve(event.task)
  })
  try {
    const { id } = await engine.call('task.run', flakyTask(mode))
    started.id = id
    const { task: now } = await engine.call('task.get', { taskId: id })
    if (now.endedAt) ended.resolve(now)
    const task = await ended.promise
    const { steps } = await engine.call('task.get', { taskId: id })
    const failed = steps.filter(({ verdict, actions }) => verdict === 'fail' && actions.length > 0).length
    const seconds = (performance.now() - began) / 1000
    const succeeded = task.state === 'succeeded'
    return { succeeded, rollbacks: mode === 'with' ? Math.min(failed, ATTEMPTS - 1) : 0, seconds }
  } finally {
    off()
  }
}
