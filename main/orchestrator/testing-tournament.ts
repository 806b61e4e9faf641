import { silentLog } from '../log.ts'
import { currentPaths } from '../paths.ts'
import { openEngine } from './engine.ts'

/** A process for tests to kill: a task with three branches that never end. Says its id once all of them run. Painted
 * machines with GODHAND_DRIVER=fake, real ones without. */
const engine = await openEngine({ paths: currentPaths(), log: silentLog })
const running = new Set<string>()
engine.onEvent((event) => {
  if (event.type !== 'branch' || event.branch.state !== 'running') return
  running.add(event.branch.id)
  if (running.size === 3) process.stdout.write(`${event.branch.taskId}\n`)
})
const options = ['a', 'b', 'c'].map((plan) => ({
  plan,
  steps: [{ say: 'Wait.', do: [{ type: 'wait', seconds: 300 }] }],
  finish: [{ check: 'file_exists' as const, path: '/x' }],
}))
const steps = [{ say: 'Try.', do: [{ type: 'branch' as const, options }] }]
const script = { goal: 'Wait', steps, finish: [{ check: 'file_exists' as const, path: '/x' }] }
await engine.call('task.run', { goal: 'Wait', planner: { kind: 'script', script } })
