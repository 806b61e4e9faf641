import { afterEach, describe, expect, it, vi } from 'vitest'
import { seeing } from '../agent/calibration/testing.ts'
import { qwen3 } from '../agent/planners/local/formats/qwen.ts'
import { AnthropicServer, say } from '../agent/wire/anthropic-server.ts'
import { OpenAiChatServer } from '../agent/wire/openai-chat-server.ts'
import { OpenAiResponsesServer, openAi } from '../agent/wire/openai-responses-server.ts'
import type { EngineEvent } from '../contract/rpc.ts'
import type { Engine } from '../engine.ts'
import { openTestEngine } from './testing.ts'

const cleanUp: (() => unknown)[] = []
afterEach(async () => {
  vi.unstubAllEnvs()
  for (const undo of cleanUp.splice(0).reverse()) await undo()
})

async function open() {
  const { engine, paths, close } = await openTestEngine()
  cleanUp.push(close)
  return { engine, paths }
}
const closing = <S extends { close(): Promise<void> }>(server: S) => {
  cleanUp.push(() => server.close())
  return server
}

describe('which models there are, and whether one answers', () => {
  it('of Anthropic, with the key the person gave', async () => {
    const { engine } = await open()
    const server = closing(await AnthropicServer.start([{ content: [say('ready')] }]))
    vi.stubEnv('ANTHROPIC_BASE_URL', server.url)
    vi.stubEnv('ANTHROPIC_API_KEY', '')
    await expect(engine.call('model.list', { kind: 'anthropic' })).rejects.toMatchObject({
      code: 'missing_prerequisite',
    })
    await engine.call('key.set', { name: 'anthropic', value: 'sk-ant-wrong' })
    await expect(engine.call('model.test', { kind: 'anthropic' })).rejects.toMatchObject({
      message: expect.stringContaining('does not accept the API key'),
    })
    await engine.call('key.set', { name: 'anthropic', value: server.apiKey })
    const models = await engine.call('model.list', { kind: 'anthropic' })
    expect(models).toContainEqual({ id: 'claude-opus-5-5', usual: true, format: null })
    expect(await engine.call('model.test', { kind: 'anthropic' })).toMatchObject({
      model: 'claude-opus-5-5',
      said: 'ready',
    })
    await engine.call('key.remove', { name: 'anthropic' })
    expect(await engine.call('key.list', {})).toMatchObject({ names: [] })
  })

  it('of OpenAI', async () => {
    const { engine } = await open()
    const server = closing(await OpenAiResponsesServer.start([{ output: [openAi.say('ready')] }]))
    vi.stubEnv('OPENAI_BASE_URL', server.url)
    vi.stubEnv('OPENAI_API_KEY', server.apiKey)
    const models = await engine.call('model.list', { kind: 'openai' })
    expect(models.filter(({ usual }) => usual)).toHaveLength(1)
    expect(await engine.call('model.test', { kind: 'openai' })).toMatchObject({ said: 'ready' })
    await expect(engine.call('model.test', { kind: 'openai', model: 'no-such' })).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  it('of a local server, with the format each would be spoken to in', async () => {
    const { engine } = await open()
    const server = closing(await OpenAiChatServer.start(['qwen3-vl:8b', 'llava'], [{ text: 'ready' }]))
    const baseUrl = server.url
    expect(await engine.call('model.list', { kind: 'local', baseUrl })).toEqual([
      { id: 'llava', usual: false, format: 'tools' },
      { id: 'qwen3-vl:8b', usual: false, format: 'qwen3-vl' },
    ])
    const test = await engine.call('model.test', { kind: 'local', baseUrl, model: 'llava' })
    expect(test).toMatchObject({ model: 'llava', said: 'ready' })
    await expect(engine.call('model.test', { kind: 'local', baseUrl, model: 'gone' })).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})

async function firstStep(engine: Engine, taskId: string) {
  return vi.waitFor(
    async () => {
      const { steps } = await engine.call('task.get', { taskId })
      const step = steps.find(({ actions }) => actions.length > 0)
      if (!step) throw new Error('Nothing was done yet.')
      return { act: step.actions[0]?.act, notices: step.notices ?? [], usage: step.usage }
    },
    { timeout: 20_000 },
  )
}

describe('a calibration', () => {
  it('is told as it goes, kept, and used by the next task with that model', async () => {
    const { engine } = await open()
    // Counts to 500 where 1000 is usual: uncalibrated, every click would land in a quarter of the screen.
    const server = closing(await seeing('qwen3-vl:8b', qwen3, ({ x, y }) => ({ x: x * 500, y: y * 500 })))
    const progress: number[] = []
    engine.onEvent((event: EngineEvent) => {
      if (event.type === 'calibration') progress.push(event.progress.done)
    })
    const model = { kind: 'local', baseUrl: server.url, model: 'qwen3-vl:8b' } as const
    const found = await engine.call('model.calibrate', model)
    expect(found).toMatchObject({ blind: false, space: 'other', asked: 9 })
    expect(found.medianPx).toBeLessThan(3)
    expect(progress).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
    expect(await engine.call('model.calibrations', {})).toEqual([found])

    const { id } = await engine.call('task.run', { goal: 'Click the button labelled "Save"', planner: { ...model } })
    const { act: acted, notices } = await firstStep(engine, id)
    expect(notices).toEqual([])
    // Nothing of that colour is on the painted screen: the model says the middle, in its own numbers.
    const at = acted?.type === 'click' ? acted.at : undefined
    expect(Math.hypot((at?.x ?? 0) - 640, (at?.y ?? 0) - 400)).toBeLessThan(3)
    await engine.call('task.stop', { taskId: id })
  })

  it('is made by itself before the first click of a model that has none, told in the trace, and kept', async () => {
    const { engine } = await open()
    const server = closing(await seeing('qwen3-vl:8b', qwen3, ({ x, y }) => ({ x: x * 500, y: y * 500 })))
    const planner = { kind: 'local', baseUrl: server.url, model: 'qwen3-vl:8b' } as const
    const { id } = await engine.call('task.run', { goal: 'Click the button labelled "Save"', planner })
    const { act, notices, usage } = await firstStep(engine, id)
    await engine.call('task.stop', { taskId: id })
    const at = act?.type === 'click' ? act.at : undefined
    expect(Math.hypot((at?.x ?? 0) - 640, (at?.y ?? 0) - 400)).toBeLessThan(3)
    expect(notices).toEqual([
      expect.stringContaining('is not calibrated yet'),
      expect.stringMatching(/points well .* kept for its next tasks/),
    ])
    expect(usage?.inputTokens).toBe(10 * 1000) // the question itself, and nine to find out
    expect(await engine.call('model.calibrations', {})).toMatchObject([{ model: 'qwen3-vl:8b', blind: false }])
  })

  it.each(['beforehand', 'by itself'])(
    'of a model that points at random, made %s, keeps its tasks from clicking',
    async (when) => {
      const { engine } = await open()
      const server = closing(
        await seeing('qwen3-vl:8b', qwen3, () => ({ x: Math.random() * 1000, y: Math.random() * 1000 })),
      )
      const model = { kind: 'local', baseUrl: server.url, model: 'qwen3-vl:8b' } as const
      if (when === 'beforehand') expect(await engine.call('model.calibrate', model)).toMatchObject({ blind: true })
      const ended = Promise.withResolvers<string | null>()
      engine.onEvent((event) => {
        if (event.type === 'task' && event.task.endedAt) ended.resolve(event.task.verdict)
      })
      const { id } = await engine.call('task.run', { goal: 'Click something', planner: model })
      expect(await ended.promise).toContain('could not be used')
      const { steps } = await engine.call('task.get', { taskId: id })
      expect(steps.flatMap(({ actions }) => actions)).toEqual([])
      expect(steps[0]?.thought).toContain('cannot be trusted to point')
    },
  )
})
