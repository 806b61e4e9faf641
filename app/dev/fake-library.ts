import type { TracePage, TraceQueryInput } from '../../main/contract/trace.ts'
import type { FakeWorld } from './fake-world.ts'

export function searchTraces(world: FakeWorld, query: TraceQueryInput): TracePage {
  const { text: words = '', states, planner = '', tag } = query
  const found = [...world.tasks.values()]
    .filter(({ state }) => !states || states.includes(state))
    .filter((task) => task.planner.startsWith(planner))
    .filter(({ id }) => tag === undefined || world.tags.get(id)?.includes(tag))
    .flatMap((task) => {
      const steps = world.steps.get(task.id) ?? []
      const hits = steps.filter(({ thought }) => thought.toLowerCase().includes(words.toLowerCase()))
      if (words && hits.length === 0 && !task.goal.toLowerCase().includes(words.toLowerCase())) return []
      const [first] = hits
      const text = first?.thought.replace(new RegExp(words.replace(/\W/g, '.'), 'i'), (hit) => `«${hit}»`)
      return [
        {
          task,
          tags: world.tags.get(task.id) ?? [],
          bytes: 380_000 * Math.max(1, task.stepCount),
          imported: task.id === 'stopped',
          hits: words ? hits.length : 0,
          best: words && first && text ? { stepIndex: first.index, text } : null,
        },
      ]
    })
    .sort((a, b) => b.task.createdAt.localeCompare(a.task.createdAt))
  return { entries: found.slice(0, 50), next: null }
}
