import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OpenAiChatServer } from './openai-chat-server.ts'

let server: OpenAiChatServer

beforeAll(async () => {
  server = await OpenAiChatServer.start(['m'], () => ({
    text: 'Hello.',
    calls: [{ name: 'click', arguments: { x: 1 } }],
  }))
})
afterAll(() => server.close())

async function post(body: Record<string, unknown>) {
  const response = await fetch(`${server.url}/v1/chat/completions`, { method: 'POST', body: JSON.stringify(body) })
  const answer: unknown = await response.json()
  return { status: response.status, answer }
}

const user = { role: 'user', content: 'hi' }
const call = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }],
}
const result = { role: 'tool', tool_call_id: 'c1', content: 'ok' }
const base = { model: 'm', messages: [user] }

test('answers the SDK, as one piece and as a stream', async () => {
  const client = new OpenAI({ apiKey: 'none', baseURL: `${server.url}/v1`, maxRetries: 0 })
  const whole = await client.chat.completions.create({ model: 'm', messages: [{ role: 'user', content: 'hi' }] })
  expect(whole.choices[0]?.message.content).toBe('Hello.')
  const stream = client.chat.completions.stream({ model: 'm', messages: [{ role: 'user', content: 'hi' }] })
  expect((await stream.finalMessage()).tool_calls?.[0]).toMatchObject({
    function: { name: 'click', arguments: '{"x":1}' },
  })
})

describe('refuses', () => {
  test.each<[string, Record<string, unknown>, number, RegExp]>([
    ['an unknown argument', { ...base, colour: 'red' }, 400, /Unrecognized request argument supplied: colour/],
    ['an unknown model', { ...base, model: 'x' }, 404, /does not exist/],
    ['no messages', { model: 'm', messages: [] }, 400, /messages/],
    [
      'a system message in the middle',
      { ...base, messages: [user, { role: 'system', content: 'x' }] },
      400,
      /at the beginning/,
    ],
    ['two user messages in a row', { ...base, messages: [user, user] }, 400, /alternate/],
    ['a call without an answer', { ...base, messages: [user, call, user] }, 400, /did not have response messages: c1/],
    ['an answer without a call', { ...base, messages: [user, result] }, 400, /must be a response to a preceding/],
    ['two answers to one call', { ...base, messages: [user, call, result, result] }, 400, /must be a response/],
    [
      'an empty assistant message',
      { ...base, messages: [user, { role: 'assistant', content: '' }, user] },
      400,
      /needs content/,
    ],
    [
      'the assistant at the end',
      { ...base, messages: [user, { role: 'assistant', content: 'x' }] },
      400,
      /last message/,
    ],
    [
      'a picture that is none',
      {
        ...base,
        messages: [
          { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }] },
        ],
      },
      400,
      /valid image/,
    ],
    [
      'a picture at an address',
      { ...base, messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'http://x/y.png' } }] }] },
      400,
      /Invalid image_url/,
    ],
  ])('%s', async (_what, body, status, message) => {
    expect(await post(body)).toMatchObject({
      status,
      answer: { error: { type: 'invalid_request_error', message: expect.stringMatching(message) } },
    })
  })

  test('other addresses', async () => {
    expect((await fetch(`${server.url}/v1/completions`, { method: 'POST', body: '{}' })).status).toBe(404)
  })
})
