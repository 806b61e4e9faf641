import { expect, it } from 'vitest'
import { RunTask, type ScriptInput } from '../../main/contract/task.ts'
import { Draft, emptyDraft, parseScript, sitesOf, taskOf } from './draft.ts'

const script: ScriptInput = {
  goal: 'Make a folder',
  steps: [{ say: 'Make it', do: [{ type: 'exec', command: 'mkdir a' }] }],
  finish: [{ check: 'file_exists', path: 'a' }],
}

it('is not a task until there is a goal', () => {
  expect(taskOf(emptyDraft)).toBeNull()
  expect(taskOf({ ...emptyDraft, goal: '   ' })).toBeNull()
})

it('becomes a task the contract accepts, leaving the model to the engine unless one is named', () => {
  const task = taskOf({ ...emptyDraft, goal: ' Tidy up ' })
  expect(RunTask.parse(task)).toMatchObject({ goal: 'Tidy up', image: 'desktop', planner: { kind: 'anthropic' } })
  expect(taskOf({ ...emptyDraft, goal: 'x', model: 'some-model' })?.planner).toEqual({
    kind: 'anthropic',
    model: 'some-model',
  })
})

it('thinks with a local server once it has an address and a model', () => {
  const local = { ...emptyDraft, goal: 'x', planner: 'local' as const }
  expect(taskOf(local)).toBeNull()
  expect(taskOf({ ...local, localModel: 'm', localAddress: 'not an address' })).toBeNull()
  const ready = { ...local, model: 'a-claude', localModel: ' m ', localAddress: 'http://localhost:1234/v1' }
  expect(RunTask.parse(taskOf(ready)).planner).toEqual({
    kind: 'local',
    baseUrl: 'http://localhost:1234/v1',
    model: 'm',
  })
})

it('does not name the model of one provider to another', () => {
  expect(taskOf({ ...emptyDraft, goal: 'x', planner: 'openai', model: 'a-claude' })?.planner).toEqual({
    kind: 'openai',
  })
})

it('leaves to the engine when to ask first, unless the person chose', () => {
  expect(taskOf({ ...emptyDraft, goal: 'x' })).not.toHaveProperty('approval')
  expect(taskOf({ ...emptyDraft, goal: 'x', approval: 'always' })?.approval).toBe('always')
})

it('takes the goal of its script when the person wrote none', () => {
  const draft = {
    ...emptyDraft,
    planner: 'script' as const,
    script: { name: 's.json', script: parseScript(JSON.stringify(script)) },
  }
  expect(RunTask.parse(taskOf(draft)).goal).toBe('Make a folder')
  expect(taskOf({ ...draft, goal: 'Mine' })?.goal).toBe('Mine')
})

it('waits for a script when the script is to think', () => {
  expect(taskOf({ ...emptyDraft, goal: 'x', planner: 'script' })).toBeNull()
})

it('refuses a script without a check at its end', () => {
  expect(() => parseScript(JSON.stringify({ ...script, finish: [] }))).toThrow()
  expect(() => parseScript('{')).toThrow(SyntaxError)
})

it('reads what an older version kept', () => {
  expect(Draft.parse({ goal: 'old words' })).toEqual({ ...emptyDraft, goal: 'old words' })
})

it('reaches no site unless one is named, and takes them as people write them', () => {
  expect(RunTask.parse(taskOf({ ...emptyDraft, goal: 'x' })).allow).toEqual([])
  expect(sitesOf(' https://example.org/path?q, *.wiki.org\nexample.org;host:8080 ')).toEqual([
    'example.org',
    '*.wiki.org',
    'host:8080',
  ])
})

it('names what was attached, and a limit of money only where there is one', () => {
  const attached = [{ id: 'file_1', name: 'a.txt', bytes: 3 }]
  const task = RunTask.parse(taskOf({ ...emptyDraft, goal: 'x', attached, maxUsd: '2.5' }))
  expect(task.attached).toEqual(['file_1'])
  expect(task.budget.maxUsd).toBe(2.5)
  expect(RunTask.parse(taskOf({ ...emptyDraft, goal: 'x' })).budget.maxUsd).toBeUndefined()
})

it('names what it is about, and nothing where nothing was named', () => {
  expect(RunTask.parse(taskOf({ ...emptyDraft, goal: 'x' })).scope).toEqual({})
  const about = { ...emptyDraft, goal: 'x', domains: 'https://a.example/x b.example', paths: '~/Documents, /srv notes' }
  expect(RunTask.parse(taskOf(about)).scope).toEqual({
    domains: ['a.example', 'b.example'],
    paths: ['~/Documents', '/srv'],
  })
})

it('is done by the person themselves when they say so', () => {
  expect(taskOf({ ...emptyDraft, goal: 'x', planner: 'human' })?.planner).toEqual({ kind: 'human' })
})
