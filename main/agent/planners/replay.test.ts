import { expect, test } from 'vitest'
import type { Act } from '../../contract/action.ts'
import type { Assertion } from '../../contract/assertion.ts'
import { hashFrame } from '../../screen/frames.ts'
import { pixelHash } from '../../trace/pixels.ts'
import { letPlay, recorded, type Script, TinyDesktop } from './replay/tiny-desktop.ts'
import { ReplayPlanner } from './replay.ts'

const click: Act = { type: 'click', at: { x: 120, y: 130 }, button: 'left', count: 1 }
const visible = (text: string): Assertion => ({ check: 'text_visible', text, match: 'contains' })
const script: Script = [
  { thought: 'Open the dialog.', acts: [click] },
  { thought: 'Write a name.', acts: [{ type: 'type', text: 'Ada' }], expect: [visible('Ada')] },
  { thought: 'Done.', acts: [], expect: [visible('Ada')] },
]

test('on the same desktop every step agrees and the same checks decide', async () => {
  const planner = new ReplayPlanner(recorded(new TinyDesktop(), script))
  const { end, acts } = await letPlay(planner, new TinyDesktop())
  expect(end).toMatchObject({ kind: 'finish', summary: 'It is open.', checks: [visible('Ada')] })
  expect(acts).toEqual([click, { type: 'type', text: 'Ada' }])
  expect(planner.report.map(({ index, outcome }) => [index, outcome])).toEqual([
    [0, 'agrees'],
    [1, 'agrees'],
  ])
  expect(planner.name).toBe('replay:task_1')
})

test('a window that opened 40 pixels elsewhere is found by its picture, and that is said', async () => {
  const planner = new ReplayPlanner(recorded(new TinyDesktop(), script))
  const { end, acts, thoughts } = await letPlay(planner, new TinyDesktop({ window: { x: 100, y: 90 } }))
  expect(end.kind).toBe('finish')
  expect(acts[0]).toEqual({ ...click, at: { x: 160, y: 170 } })
  expect(planner.report[0]).toMatchObject({
    outcome: 'moved',
    targets: [{ by: 'picture', recorded: { x: 120, y: 130 } }],
  })
  expect(thoughts[0]).toContain('40 px to the right and 40 px below')
})

test('an app that is missing stops it at that step, with the reason, after it was waited for', async () => {
  const planner = new ReplayPlanner(recorded(new TinyDesktop(), script), { patience: 3 })
  const { end, acts } = await letPlay(planner, new TinyDesktop({ hasApp: false }))
  expect(end).toMatchObject({
    kind: 'give_up',
    reason: 'Step 1 of 3 (Click at 120, 130): what was pointed at in the recording is not on the screen.',
  })
  expect(acts).toEqual([1, 2, 3].map(() => ({ type: 'wait', seconds: 0.5 })))
  expect(planner.report).toMatchObject([{ index: 0, outcome: 'stopped' }])
})

test('an action that now does nothing stops it, though no check was recorded', async () => {
  const planner = new ReplayPlanner(recorded(new TinyDesktop(), script), { patience: 2 })
  const broken = new TinyDesktop()
  broken.act = () => {}
  const { end } = await letPlay(planner, broken)
  expect(end).toMatchObject({
    kind: 'give_up',
    reason: expect.stringMatching(/^Step 1 of 3 .*changed nothing now, and no check/),
  })
})

test('where the screen no longer agrees the person is asked, and their answer counts', async () => {
  const asking = { patience: 1, ask: true }
  const stopped = new ReplayPlanner(recorded(new TinyDesktop(), script), asking)
  const questions: string[] = []
  const { end } = await letPlay(stopped, new TinyDesktop({ hasApp: false }), (question) => {
    questions.push(question)
    return questions.length === 1 ? 'what?' : 'stop'
  })
  expect(end).toMatchObject({ kind: 'give_up', compared: [{ index: 0, outcome: 'stopped' }] })
  expect(questions).toHaveLength(2)
  expect(questions[0]).toMatch(/^Step 1 of 3 \(Click at 120, 130\): .* “again” .* “skip” .* “stop”/)

  const desktop = new TinyDesktop({ hasApp: false })
  const mended = new ReplayPlanner(recorded(new TinyDesktop(), script), asking)
  const again = await letPlay(mended, desktop, () => {
    desktop.hasApp = true // the person opens it by hand
    return 'again'
  })
  expect(again.end.kind).toBe('finish')
  expect(mended.report.map(({ outcome }) => outcome)).toEqual(['agrees', 'agrees'])

  const skipping = new ReplayPlanner(recorded(new TinyDesktop(), script), asking)
  const open = new TinyDesktop({ hasApp: false })
  const skipped = await letPlay(skipping, open, () => {
    open.hasApp = true
    open.dialog = true
    return 'skip it, I did that'
  })
  expect(skipped.end.kind).toBe('finish')
  expect(skipping.report.map(({ outcome }) => outcome)).toEqual(['skipped', 'agrees'])
})

test('a slow desktop is waited for', async () => {
  const planner = new ReplayPlanner(recorded(new TinyDesktop(), script), { patience: 10 })
  const { end, acts } = await letPlay(planner, new TinyDesktop({ dialogAfterLooks: 4 }))
  expect(end.kind).toBe('finish')
  expect(acts.filter(({ type }) => type === 'wait').length).toBeGreaterThan(0)
})

test('a check that held then and fails now stops it with what was found', async () => {
  const planner = new ReplayPlanner(recorded(new TinyDesktop(), script))
  const deaf = new TinyDesktop()
  const act = deaf.act.bind(deaf)
  deaf.act = (each) => {
    if (each.type !== 'type') act(each)
  }
  const { end } = await letPlay(planner, deaf)
  expect(end).toMatchObject({ kind: 'give_up', reason: 'Step 2 of 3 (Type “Ada”): “Ada” is not there.' })
})

test('another value is typed and expected in its place', async () => {
  const planner = new ReplayPlanner(recorded(new TinyDesktop(), script), {
    variables: [{ recorded: 'Ada', value: 'Grace' }],
  })
  const { end, acts } = await letPlay(planner, new TinyDesktop())
  expect(acts[1]).toEqual({ type: 'type', text: 'Grace' })
  expect(end).toMatchObject({ kind: 'finish', checks: [visible('Grace')] })
})

test('the replay of a run that failed ends as that run did, with its reason', async () => {
  const failed = { state: 'failed' as const, verdict: 'The printer burned.', checks: [] }
  const { end } = await letPlay(new ReplayPlanner(recorded(new TinyDesktop(), script, failed)), new TinyDesktop())
  expect(end).toMatchObject({ kind: 'give_up', reason: 'The recorded run itself failed: The printer burned.' })
})

test('a final check that fails is told, and not tried forever', async () => {
  const recording = recorded(new TinyDesktop(), script)
  const check = recording.task.checks[0]
  if (!check) throw new Error('there is a final check')
  const wanting = { ...recording, task: { ...recording.task, checks: [{ ...check, assertion: visible('Grace') }] } }
  const { end } = await letPlay(new ReplayPlanner(wanting), new TinyDesktop())
  expect(end).toMatchObject({
    kind: 'give_up',
    reason: 'All steps were replayed, but at the end: “Grace” is not there.',
  })
})

test('actions that failed in the recording are not repeated', async () => {
  const recording = recorded(new TinyDesktop(), script)
  recording.steps[1]?.actions.unshift({
    act: { type: 'exec', command: 'false', timeoutSeconds: 1 },
    result: { ok: false },
  })
  const { acts } = await letPlay(new ReplayPlanner(recording), new TinyDesktop())
  expect(acts.map(({ type }) => type)).toEqual(['click', 'type'])
})

test('traces and screens give a picture the same name', async () => {
  const frame = new TinyDesktop().capture()
  expect(pixelHash(frame)).toBe(await hashFrame(frame))
})
