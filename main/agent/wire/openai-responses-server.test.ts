import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OpenAiResponsesServer, openAi } from './openai-responses-server.ts'

let server: OpenAiResponsesServer
beforeAll(async () => {
  server = await OpenAiResponsesServer.start(() => ({ output: [openAi.think('hm'), openAi.say('Hello there.')] }))
})
afterAll(() => server.close())

type Body = Record<string, unknown>
const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mP8/58BAwAI/AL+Wc8+UQAAAABJRU5ErkJggg=='
const user = { role: 'user', content: 'hi' }
const call = (more: Body = {}) => ({
  type: 'computer_call',
  id: 'cu_1',
  call_id: 'c1',
  status: 'completed',
  pending_safety_checks: [],
  actions: [{ type: 'screenshot' }],
  ...more,
})
const output = (more: Body = {}) => ({
  type: 'computer_call_output',
  call_id: 'c1',
  output: { type: 'computer_screenshot', image_url: PIXEL, detail: 'original' },
  ...more,
})
const reasoning = { type: 'reasoning', id: 'rs_9', summary: [], encrypted_content: 'made up' }
const fn = { type: 'function_call', call_id: 'f1', name: 'f', arguments: '{}' }
const warned = call({ pending_safety_checks: [{ id: 's1', code: 'x', message: 'careful' }] })
const base: Body = { model: 'gpt-6.1-sol', input: [user], tools: [{ type: 'computer' }], store: false }

async function post(body: Body, key = server.apiKey) {
  const response = await fetch(`${server.url}/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  })
  const answer: unknown = await response.json()
  return { status: response.status, answer }
}

test('answers the SDK, as one piece and as a stream', async () => {
  const client = new OpenAI({ apiKey: server.apiKey, baseURL: server.url, maxRetries: 0 })
  const whole = await client.responses.create({ model: 'gpt-6.1-sol', input: [{ role: 'user', content: 'hi' }] })
  expect(whole.output_text).toBe('Hello there.')
  const stream = client.responses.stream({ model: 'gpt-6.1-sol', input: [{ role: 'user', content: 'hi' }] })
  let words = ''
  for await (const event of stream) if (event.type === 'response.output_text.delta') words += event.delta
  expect(words).toBe('Hello there.')
})

test('accepts a call with its output, and warnings that were acknowledged', async () => {
  expect((await post({ ...base, input: [user, call(), output()] })).status).toBe(200)
  const acknowledged_safety_checks = [{ id: 's1', code: 'x', message: 'careful' }]
  expect((await post({ ...base, input: [user, warned, output({ acknowledged_safety_checks })] })).status).toBe(200)
})

describe('refuses', () => {
  test.each<[string, Body, number, RegExp]>([
    ['an unknown parameter', { ...base, colour: 1 }, 400, /Unknown parameter: 'colour'/],
    ['an unknown model', { ...base, model: 'x' }, 404, /does not exist/],
    ['a display size on the computer tool', { ...base, tools: [{ type: 'computer', display_width: 1 }] }, 400, /tools/],
    [
      'the older tool on a new model',
      { ...base, tools: [{ type: 'computer_use_preview', display_width: 1, display_height: 1, environment: 'linux' }] },
      400,
      /not supported with gpt/,
    ],
    [
      'the new tool on the older model',
      { ...base, model: 'computer-use-preview', truncation: 'auto' },
      400,
      /not supported with computer/,
    ],
    [
      'a call without an output',
      { ...base, input: [user, call(), user] },
      400,
      /No tool output found for computer call c1/,
    ],
    [
      'a function call without an output',
      { ...base, input: [user, fn, user] },
      400,
      /No tool output found for function call f1/,
    ],
    [
      'an output without a call',
      { ...base, input: [user, output()] },
      400,
      /No tool call found for computer call output/,
    ],
    ['two outputs for one call', { ...base, input: [user, call(), output(), output()] }, 400, /Duplicate output/],
    [
      'warnings nobody acknowledged',
      { ...base, input: [user, warned, output()] },
      400,
      /have not been acknowledged: s1/,
    ],
    [
      'reasoning that somebody made up',
      { ...base, input: [user, reasoning, call(), output()] },
      400,
      /could not be verified/,
    ],
    [
      'reasoning without its seal',
      { ...base, input: [user, { ...reasoning, encrypted_content: null }, call(), output()] },
      400,
      /not persisted/,
    ],
    [
      'a screenshot that is none',
      {
        ...base,
        input: [
          user,
          call(),
          output({ output: { type: 'computer_screenshot', image_url: 'data:image/png;base64,AAAA' } }),
        ],
      },
      400,
      /valid image/,
    ],
    [
      'text in a computer output',
      {
        ...base,
        input: [user, call(), output({ output: { type: 'computer_screenshot', image_url: PIXEL, text: 'x' } })],
      },
      400,
      /input/,
    ],
  ])('%s', async (_what, body, status, message) => {
    expect(await post(body)).toMatchObject({ status, answer: { error: { message: expect.stringMatching(message) } } })
  })

  test('a wrong key', async () => {
    expect((await post(base, 'sk-wrong')).status).toBe(401)
  })
})
