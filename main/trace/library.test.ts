import { expect, test } from 'vitest'
import { sampleStep, sampleTask, temporaryStore } from './testing/samples.ts'

function filled() {
  const store = temporaryStore()
  const day = (n: number) => `2026-01-0${n}T00:00:00.000Z`
  const letter = sampleTask({ goal: 'Write a letter', createdAt: day(1), state: 'succeeded', planner: 'demo' })
  const taxes = sampleTask({ goal: 'Fill in the tax form', createdAt: day(2), state: 'failed', planner: 'anthropic:x' })
  const noise = sampleTask({ goal: 'Größere Schrift einstellen', createdAt: day(3), state: 'stopped' })
  for (const task of [letter, taxes, noise]) store.tasks.insert(task)
  const typed = (text: string) => [{ act: { type: 'type' as const, text }, result: { ok: true } }]
  store.steps.append(sampleStep(letter.id, 0, { thought: 'Open the editor', actions: typed('Dear newcomer') }))
  store.steps.append(sampleStep(letter.id, 1, { thought: 'Save it', actions: typed('letter.txt'), checks: [] }))
  store.steps.append(sampleStep(taxes.id, 0, { thought: 'Open the browser', actions: typed('elster.de'), checks: [] }))
  store.tags.add(letter.id, 'keep')
  store.tags.add(letter.id, 'family')
  const goals = (query: Parameters<typeof store.library.find>[0]) =>
    store.library.find(query).entries.map(({ task }) => task.goal)
  return { store, letter, taxes, noise, goals, day }
}

test('without words all traces are listed, newest first, with tags', () => {
  const { store, goals } = filled()
  expect(goals({})).toEqual(['Größere Schrift einstellen', 'Fill in the tax form', 'Write a letter'])
  expect(store.library.find({}).entries[2]).toMatchObject({
    tags: ['family', 'keep'],
    hits: 0,
    best: null,
    imported: false,
  })
})

test('traces are filtered by state, tag, planner and time', () => {
  const { goals, day } = filled()
  expect(goals({ states: ['failed', 'stopped'] })).toHaveLength(2)
  expect(goals({ tag: 'family' })).toEqual(['Write a letter'])
  expect(goals({ planner: 'anthropic' })).toEqual(['Fill in the tax form'])
  expect(goals({ from: day(2), to: day(3) })).toEqual(['Fill in the tax form'])
})

test('words are found in goals, thoughts, typed text and evidence, across steps, and the place is shown', () => {
  const { store, goals, letter } = filled()
  expect(goals({ text: 'newcomer' })).toEqual(['Write a letter'])
  expect(goals({ text: 'newcomer save' })).toEqual(['Write a letter'])
  expect(goals({ text: 'newcomer browser' })).toEqual([])
  expect(goals({ text: 'frog' })).toEqual(['Write a letter'])
  const [entry] = store.library.find({ text: 'newcomer' }).entries
  expect(entry).toMatchObject({ hits: 1, best: { stepIndex: 0, text: expect.stringContaining('«newcomer»') } })
  expect(store.library.findSteps(letter.id, 'save')).toEqual([{ stepIndex: 1, text: '«Save» it' }])
})

test('an unfinished last word, accents and signs of the query language do no harm', () => {
  const { goals } = filled()
  expect(goals({ text: 'newc' })).toEqual(['Write a letter'])
  expect(goals({ text: 'grossere schrift' })).toEqual([])
  expect(goals({ text: 'großere schr' })).toEqual(['Größere Schrift einstellen'])
  for (const text of ['"', '*', 'a AND', 'NEAR(', 'said:x', '-', '^', "'; DROP TABLE tasks"]) goals({ text })
  expect(goals({ text: '***' })).toEqual([])
  expect(goals({ text: '"tax form"' })).toEqual(['Fill in the tax form'])
  expect(goals({ text: '"form tax"' })).toEqual([])
})

test('the verdict and the text read on a screen are found once they are known', () => {
  const { store, goals, taxes } = filled()
  const running = sampleTask({ state: 'running', goal: 'Something' })
  store.tasks.insert(running)
  store.tasks.update(running.id, { state: 'failed', verdict: 'The printer is on fire.' })
  expect(goals({ text: 'printer' })).toEqual(['Something'])
  expect(goals({ text: 'Steuernummer' })).toEqual([])
  store.library.setScreenText(taxes.id, 0, 'Steuernummer 123/456')
  expect(goals({ text: 'steuernummer 456' })).toEqual(['Fill in the tax form'])
  expect(() => store.library.setScreenText(taxes.id, 9, 'x')).toThrow('no step 9')
})

test('pages follow each other without gaps or repeats, also among equal times', () => {
  const store = temporaryStore()
  const ids = Array.from({ length: 7 }, () => sampleTask()).map((task) => {
    store.tasks.insert(task)
    return task.id
  })
  const seen: string[] = []
  for (let after: string | null | undefined; after !== null; ) {
    const page = store.library.find({ limit: 3, ...(after !== undefined && { after }) })
    seen.push(...page.entries.map(({ task }) => task.id))
    after = page.next
  }
  expect(seen).toEqual(ids.toReversed())
})

test('tags are counted, taken off again, and cannot be markup', () => {
  const { store, letter } = filled()
  expect(store.tags.all()).toEqual([
    { tag: 'family', count: 1 },
    { tag: 'keep', count: 1 },
  ])
  store.tags.remove(letter.id, 'keep')
  expect(store.tags.of(letter.id)).toEqual(['family'])
  expect(() => store.tags.add(letter.id, '<script>')).toThrow('A tag is')
})
