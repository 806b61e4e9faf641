import path from 'node:path'
import { expect, test } from 'vitest'
import { openStore } from './store.ts'
import { sampleFrame, sampleStep, sampleTask, temporaryFolder } from './testing/samples.ts'

/** The aim is 100 ms on an idle machine; the bound leaves room for a busy one and still finds a missing index. */
const aimMs = 100
const boundMs = 5 * aimMs

test('with 10,000 steps in the store, opening it, listing tasks and opening a trace are quick', () => {
  const file = path.join(temporaryFolder(), 'godhand.db')
  const filling = openStore(file)
  const frames = Array.from({ length: 50 }, (_, index) => sampleFrame(`${index}`))
  const tasks = Array.from({ length: 20 }, () => sampleTask())
  filling.transaction(() => {
    for (const task of tasks) {
      filling.tasks.insert(task)
      for (let index = 0; index < 500; index++) {
        const frame = frames[index % frames.length]?.hash ?? null
        filling.steps.append(sampleStep(task.id, index, { before: frame, after: frame }), index === 0 ? frames : [])
      }
    }
  })
  filling.close()

  const { took: openMs, result: store } = timed(() => openStore(file))
  const { took: listMs, result: listed } = timed(() => store.tasks.list())
  const taskId = tasks[7]?.id ?? ''
  const { took: traceMs, result: steps } = timed(() => store.steps.list(taskId))
  const { took: allMs, result: all } = timed(() => listed.flatMap(({ id }) => store.steps.list(id)))
  const { took: framesMs } = timed(() => store.frames.ofTask(taskId))
  const { took: pageMs } = timed(() => store.library.find({ limit: 50 }))
  // A word of every step is the worst there is to look for.
  const { took: searchMs, result: found } = timed(() => store.library.find({ text: 'poem edit' }))
  const { took: rareMs, result: rare } = timed(() => store.library.find({ text: '"step 499"' }))
  const { took: insideMs, result: inside } = timed(() => store.library.findSteps(taskId, 'frog'))
  store.close()

  console.info(
    `10,000 steps: open ${openMs} ms, list ${listMs} ms, one trace of 500 ${traceMs} ms, its frames ${framesMs} ms, all 10,000 ${allMs} ms, library page ${pageMs} ms, search for a common word ${searchMs} ms, a rare one ${rareMs} ms, in one trace ${insideMs} ms`,
  )
  expect(listed).toHaveLength(tasks.length)
  expect(steps).toHaveLength(500)
  expect(all).toHaveLength(10_000)
  expect(found.entries).toHaveLength(tasks.length)
  expect(found.entries[0]?.hits).toBe(500)
  expect(rare.entries.map(({ hits }) => hits)).toEqual(tasks.map(() => 1))
  expect(inside).toHaveLength(100)
  for (const took of [openMs, listMs, traceMs, framesMs, pageMs, searchMs, rareMs, insideMs])
    expect(took).toBeLessThan(boundMs)
}, 60_000)

function timed<T>(work: () => T): { took: number; result: T } {
  const start = performance.now()
  const result = work()
  return { took: Math.round((performance.now() - start) * 10) / 10, result }
}
