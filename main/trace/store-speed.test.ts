import path from 'node:path'
import { expect, test } from 'vitest'
import { lineageOf } from './lineage.ts'
import { openStore, type Store } from './store.ts'
import { sampleFrame, sampleStep, sampleTask, temporaryFolder } from './testing/samples.ts'

const aimMs = 100
const long = sampleTask({ goal: 'A long one' })
const short = Array.from({ length: 20 }, () => sampleTask())

/** What stands on a screen: the same words over and over, as on any desktop. */
const menus = 'File Edit View Search Terminal Help Untitled document frog pond leaps water home folder settings'.split(
  ' ',
)
const screen = (n: number) => Array.from({ length: 150 }, (_, at) => `${menus[(n + at * 7) % menus.length]} ${n % 97}`)

/** 10,000 steps whose screens were read: half of them one trace. */
function fill(store: Store): void {
  const frames = Array.from({ length: 50 }, (_, index) => sampleFrame(`${index}`))
  store.transaction(() => {
    for (const task of [long, ...short]) {
      store.tasks.insert(task)
      for (let index = 0; index < (task === long ? 5000 : 250); index++) {
        const frame = frames[index % frames.length]?.hash ?? null
        store.steps.append(sampleStep(task.id, index, { before: frame, after: frame }), index === 0 ? frames : [])
        store.library.setScreenText(task.id, index, screen(index).join(' '))
      }
    }
  })
}

test('with 10,000 steps in the store, listing, searching and opening a trace take less than 100 ms each', () => {
  const file = path.join(temporaryFolder(), 'godhand.db')
  const filling = openStore(file)
  fill(filling)
  filling.close()
  const store = openStore(file)
  const taskId = short[7]?.id ?? ''

  const list = quickest(() => store.tasks.list())
  const page = quickest(() => store.library.find({ limit: 50 }))
  // Words of every step are the worst there are to look for.
  const common = quickest(() => store.library.find({ text: 'poem edit' }))
  const begun = quickest(() => store.library.find({ text: 'f' }))
  const rare = quickest(() => store.library.find({ text: '"step 249"' }))
  const inside = quickest(() => store.library.findSteps(long.id, 'frog'))
  const whole = quickest(() => store.steps.list(taskId))
  // As the app opens a long one: a window of its steps, then the next.
  const window = quickest(() => store.steps.list(long.id, { from: 4700, limit: 300 }))
  const tree = quickest(() => lineageOf(store, long.id))
  const frames = quickest(() => store.frames.ofTask(long.id))
  store.close()

  const all = { list, page, common, begun, rare, inside, whole, window, tree, frames }
  const told = Object.entries(all).map(([name, { took }]) => `${name} ${took.toFixed(1)} ms`)
  console.info(`10,000 steps: ${told.join(', ')}`)
  expect(list.result).toHaveLength(21)
  expect(whole.result).toHaveLength(250)
  expect(window.result.map(({ index }) => index).at(-1)).toBe(4999)
  expect(tree.result.steps).toHaveLength(5000)
  expect(common.result.entries).toHaveLength(21)
  expect(common.result.entries.find(({ task }) => task.id === long.id)).toMatchObject({
    hits: 5000,
    best: { stepIndex: 0, text: expect.stringContaining('«poem»') },
  })
  expect(rare.result.entries.map(({ hits }) => hits)).toEqual([...short, long].map(() => 1))
  expect(inside.result).toHaveLength(100)
  for (const [name, { took }] of Object.entries(all)) expect(took, name).toBeLessThan(aimMs)
}, 60_000)

/** Of several times the shortest: the others say how busy the host was. */
function quickest<T>(work: () => T): { took: number; result: T } {
  const runs = Array.from({ length: 5 }, () => {
    const start = performance.now()
    const result = work()
    return { took: performance.now() - start, result }
  })
  return runs.reduce((best, run) => (run.took < best.took ? run : best))
}
