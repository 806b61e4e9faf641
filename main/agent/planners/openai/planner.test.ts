import { afterEach, describe, expect, test } from 'vitest'
import {
  OpenAiResponsesServer,
  openAi,
  type RespondToItems,
  type ResponseAnswer,
} from '../../wire/openai-responses-server.ts'
import { quick, Stage, type StageOptions } from '../testing/stage.ts'
import { type OpenAiOptions, OpenAiPlanner } from './planner.ts'

const { say, think, computer, call } = openAi
let server: OpenAiResponsesServer
afterEach(() => server.close())

async function setUp(
  answers: ResponseAnswer[] | RespondToItems,
  stage: StageOptions = {},
  options: Partial<OpenAiOptions> = {},
) {
  server = await OpenAiResponsesServer.start(answers)
  const make = (more: Partial<OpenAiOptions> = {}) =>
    new OpenAiPlanner({ apiKey: server.apiKey, baseUrl: server.url, retries: quick, ...options, ...more })
  return { planner: make(), make, stage: new Stage(stage) }
}

const FILE = { check: 'file_content', path: '/home/user/hello.txt', text: 'hello' }
const finish = call('finish', { summary: 'Done.', checks: [FILE] })
const click = (x: number, y: number) => ({ type: 'click', button: 'left', x, y })

/** What was added to the conversation before the n-th request. */
function added(n: number) {
  const before = server.requests[n - 1]?.input.length ?? 0
  return (server.requests[n]?.input.slice(before) ?? []).filter(
    (item) => !('role' in item && item.role === 'assistant'),
  )
}

describe('a whole task', () => {
  test('goes through the real SDK and the strict server to an accepted finish', async () => {
    const { planner, stage } = await setUp([
      {
        output: [
          think('First a terminal.'),
          say('Opening it.'),
          computer({ type: 'keypress', keys: ['CTRL', 'ALT', 't'] }),
        ],
      },
      {
        output: [
          think('Then type.'),
          computer(
            click(100, 200),
            { type: 'type', text: 'echo hello > hello.txt' },
            { type: 'keypress', keys: ['ENTER'] },
            { type: 'scroll', x: 1, y: 2, scroll_x: 0, scroll_y: 300 },
            {
              type: 'drag',
              path: [
                { x: 1, y: 1 },
                { x: 9, y: 9 },
              ],
            },
            { type: 'wait' },
          ),
          call('assert', { assertion: FILE }),
        ],
      },
      { output: [finish] },
    ])
    const end = await stage.play(planner)
    expect(server.refused).toEqual([])
    expect(end).toMatchObject({ kind: 'finish', summary: 'Done.' })
    expect(stage.acts.map(({ type }) => type)).toEqual(['key', 'click', 'type', 'key', 'scroll', 'drag', 'wait'])
    expect(stage.acts[0]).toMatchObject({ chord: 'CTRL+ALT+t' })
    expect(stage.acts[4]).toMatchObject({ dx: 0, dy: 3 })
    expect(stage.turns[0]?.thought).toBe('First a terminal.\nOpening it.')
    expect(stage.thoughts.join('')).toBe('First a terminal.Opening it.Then type.')
    const outputs = added(2).filter(
      (item) => item.type === 'computer_call_output' || item.type === 'function_call_output',
    )
    expect(outputs).toMatchObject([
      { type: 'computer_call_output', output: { type: 'computer_screenshot', detail: 'original' } },
      { type: 'function_call_output', output: expect.stringContaining('It holds.') },
    ])
  })

  test('counts tokens and money, cached ones apart', async () => {
    const { planner, stage } = await setUp([{ output: [finish], usage: { input: 10_000, output: 100, cached: 8000 } }])
    const { usage } = await stage.step(planner)
    expect(usage).toMatchObject({ inputTokens: 2000, cacheReadTokens: 8000, outputTokens: 100 })
    expect(usage?.usd).toBeCloseTo((2000 * 2 + 8000 * 0.1 + 100 * 10) / 1e6, 9)
  })

  test('the older model gets the older tool', async () => {
    const { planner, stage } = await setUp([{ output: [finish] }], {}, { model: 'computer-use-preview' })
    await stage.play(planner)
    expect(server.refused).toEqual([])
    expect(server.requests[0]?.tools?.[0]).toMatchObject({ type: 'computer_use_preview', display_width: 1280 })
  })

  test('a long task keeps its newest part, calls and outputs together', async () => {
    const { planner, stage } = await setUp(
      (_request, count) => ({
        output: count < 15 ? [think('n'), computer({ type: 'keypress', keys: ['a'] })] : [finish],
      }),
      {},
      { mostPictures: 6, keepPictures: 3 },
    )
    await stage.play(planner)
    expect(server.refused).toEqual([])
    const counts = server.requests.map((request) => JSON.stringify(request).match(/"image_url"/g)?.length ?? 0)
    expect(Math.max(...counts)).toBe(6)
    expect(JSON.stringify(server.requests.at(-1))).toContain('Write hello into')
  })
})

describe('a batch', () => {
  test('stops at the first failure, and the model is told beside the screenshot', async () => {
    const { planner, stage } = await setUp(
      [
        {
          output: [
            computer(click(1, 1), { type: 'keypress', keys: ['NOKEY'] }, { type: 'type', text: 'never' }),
            call('exec', { command: 'never' }),
          ],
        },
        { output: [finish] },
      ],
      {
        act: (act) =>
          act.type === 'key' ? { ok: false, error: { code: 'bad_request', message: 'No such key.' } } : { ok: true },
      },
    )
    await stage.play(planner)
    expect(server.refused).toEqual([])
    expect(stage.acts.map(({ type }) => type)).toEqual(['click', 'key'])
    const told = JSON.stringify(added(1))
    expect(told).toContain('An action failed: No such key. The 1 after it were not done.')
    expect(told).toContain('Not executed: an earlier action in this turn failed.')
  })
})

describe('warnings of the provider', () => {
  const risky: ResponseAnswer = {
    output: [
      think('pay'),
      {
        type: 'computer',
        actions: [click(5, 5)],
        checks: [{ id: 's1', code: 'malicious', message: 'This page looks hostile.' }],
      },
    ],
  }

  test('are put to the person, and acknowledged when they say yes', async () => {
    const { planner, stage } = await setUp([risky, { output: [finish] }], { answer: 'yes' })
    await stage.play(planner)
    expect(server.refused).toEqual([])
    expect(stage.turns[0]).toMatchObject({
      kind: 'ask',
      question: expect.stringContaining('looks hostile'),
      permit: [{ type: 'click' }],
    })
    expect(stage.acts).toHaveLength(1)
    expect(added(1).find((item) => item.type === 'computer_call_output')).toMatchObject({
      acknowledged_safety_checks: [{ id: 's1' }],
    })
  })

  test.each([['no'], ['Not now'], [undefined]])('nothing is done when they say %s', async (answer) => {
    const { planner, stage } = await setUp([risky, { output: [finish] }], answer ? { answer } : {})
    await stage.play(planner)
    expect(server.refused).toEqual([])
    expect(stage.acts).toEqual([])
    expect(JSON.stringify(server.requests[1])).toContain('did not allow')
    expect(JSON.stringify(server.requests[1])).not.toContain('computer_call')
  })

  test('are acknowledged without asking only by policy', async () => {
    const { planner, stage } = await setUp([risky, { output: [finish] }], {}, { safetyChecks: 'acknowledge' })
    await stage.play(planner)
    expect(server.refused).toEqual([])
    expect(stage.turns[0]?.kind).toBe('act')
    expect(stage.acts).toHaveLength(1)
  })
})

describe('what a model can get wrong', () => {
  test.each<[string, ResponseAnswer, RegExp]>([
    ['arguments that are no JSON', { output: [call('exec', '{"command": ')] }, /not valid JSON/],
    ['an unknown tool', { output: [call('teleport', {})] }, /no tool called teleport/],
    ['an unknown action', { output: [computer({ type: 'dance' })] }, /could not be understood/],
    ['a point off the screen', { output: [computer(click(5000, 5))] }, /not on the screen/],
    ['no action at all', { output: [computer()] }, /no action in it/],
    ['an empty turn', { output: [] }, /answer was empty/],
    ['only words', { output: [say('I am done, I think.')] }, /called no tool/],
    ['an answer cut at the limit', { output: [think('long')], incomplete: 'max_output_tokens' }, /longer than allowed/],
    ['ten megabytes', { output: [say('blah '.repeat(2_000_000))] }, /called no tool/],
  ])('%s: the step shows it, and the next turn goes on', async (_what, answer, problem) => {
    const { planner, stage } = await setUp([answer, { output: [finish] }])
    expect((await stage.play(planner)).kind).toBe('finish')
    expect(server.refused).toEqual([])
    expect(stage.acts).toEqual([])
    expect(stage.turns[0]?.thought).toMatch(problem)
    expect(stage.turns[0]?.thought.length).toBeLessThan(25_000)
  })

  test('a refusal is a clear stop, and so is a filter', async () => {
    const { planner, stage } = await setUp([{ output: [{ type: 'refusal', refusal: 'I will not.' }] }])
    expect(await stage.play(planner)).toMatchObject({
      kind: 'give_up',
      reason: 'The model refused to go on. I will not.',
    })
    const other = await OpenAiResponsesServer.start([{ output: [], incomplete: 'content_filter' }])
    const filtered = new OpenAiPlanner({ apiKey: other.apiKey, baseUrl: other.url, retries: quick })
    expect((await new Stage().play(filtered)).kind).toBe('give_up')
    await other.close()
  })
})

describe('bad weather', () => {
  test.each<[string, ResponseAnswer]>([
    ['429', { status: 429, message: 'slow down', headers: { 'retry-after': '0' } }],
    ['503', { status: 503, message: 'overloaded' }],
    ['a cut stream', { output: [say('I will '.repeat(30))], cutAfter: 4 }],
    ['a response that fails', { output: [], failed: { code: 'server_error', message: 'oops' } }],
  ])('%s is tried again', async (_what, answer) => {
    const { planner, stage } = await setUp([answer, { output: [finish] }])
    expect((await stage.play(planner)).notices).toHaveLength(1)
  })

  test('a wrong key is said at once', async () => {
    const { make, stage } = await setUp([])
    await expect(stage.step(make({ apiKey: 'wrong' }))).rejects.toMatchObject({ code: 'missing_prerequisite' })
  })

  test('stopping is immediate', async () => {
    const { planner, stage } = await setUp([{ output: [say('a')], hangAfter: 2 }])
    const step = stage.step(planner)
    setTimeout(() => stage.signal.abort(new Error('stopped by you')), 50)
    await expect(step).rejects.toThrow('stopped by you')
  })
})

test.each([[{ width: 3840, height: 2160 }], [{ width: 1080, height: 2400 }]])(
  'on a screen of %o clicks land where they were meant',
  async (screen) => {
    const { planner, stage } = await setUp(
      (request, count) => {
        if (count > 0) return { output: [finish] }
        const data = JSON.stringify(request).match(/base64,([^"]{60})/)?.[1] ?? ''
        const png = Buffer.from(data, 'base64')
        return { output: [computer(click(png.readUInt32BE(16) - 1, png.readUInt32BE(20) - 1))] }
      },
      { screen },
    )
    await stage.play(planner)
    expect(server.refused).toEqual([])
    const [act] = stage.acts
    const at = act?.type === 'click' ? act.at : undefined
    expect(Math.hypot((at?.x ?? 0) - screen.width + 1, (at?.y ?? 0) - screen.height + 1)).toBeLessThan(2)
  },
)

test('after a crash the same conversation goes on', async () => {
  const { planner, make, stage } = await setUp([
    {
      output: [
        think('a'),
        computer({ type: 'keypress', keys: ['a'] }, { type: 'screenshot' }, { type: 'keypress', keys: ['b'] }),
      ],
    },
    { output: [finish] },
  ])
  await stage.step(planner)
  const saved = JSON.parse(JSON.stringify(planner.save()))
  const end = await stage.play(make({ saved, loadFrame: async (hash) => stage.frames.get(hash) ?? null }))
  expect(server.refused).toEqual([])
  expect(end.kind).toBe('finish')
  expect(stage.acts.map((act) => (act.type === 'key' ? act.chord : act.type))).toEqual(['a', 'screenshot', 'b'])
})
