import Anthropic from '@anthropic-ai/sdk'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AnthropicServer, computer, say, think } from './anthropic-server.ts'

let server: AnthropicServer
let client: Anthropic

beforeAll(async () => {
  server = await AnthropicServer.start(({ messages }) => ({
    content: messages.length === 1 ? [think('hm'), say('Hello there, friend.'), computer('screenshot')] : [say('Bye.')],
  }))
  client = new Anthropic({ apiKey: server.apiKey, baseURL: server.url, maxRetries: 0 })
})

afterAll(() => server.close())

type Body = Record<string, unknown>
const toolset = { type: 'computer_toolset_20260801' }
const user = (content: unknown) => ({ role: 'user', content })
const assistant = (...content: unknown[]) => ({ role: 'assistant', content })
const call = (id: string, more: Body = {}) => ({
  type: 'tool_use',
  id,
  name: 'screenshot',
  input: {},
  toolset_name: 'computer',
  ...more,
})
const result = (id: string, more: Body = {}) => ({
  type: 'tool_result',
  tool_use_id: id,
  content: 'OK',
  toolset_name: 'computer',
  ...more,
})
const base: Body = { model: 'claude-opus-5-5', max_tokens: 100, tools: [toolset], messages: [user('hi')] }

/** Past the types of the SDK, as somebody else's program might. */
async function post(body: Body, headers: Record<string, string> = {}) {
  const response = await fetch(`${server.url}/v1/messages`, {
    method: 'POST',
    headers: {
      'x-api-key': server.apiKey,
      'anthropic-version': '2023-06-01',
      'content-type': 'application/json',
      ...headers,
    },
    body: JSON.stringify(body),
  })
  const answer: unknown = await response.json()
  return { status: response.status, answer }
}

async function image(width: number, height: number, format: 'png' | 'jpeg' = 'png', media = `image/${format}`) {
  const data = await sharp({ create: { width, height, channels: 3, background: 'white' } })
    .toFormat(format)
    .toBuffer()
  return { type: 'image', source: { type: 'base64', media_type: media, data: data.toString('base64') } }
}

describe('accepts and answers', () => {
  test('through the SDK, as one piece and as a stream', async () => {
    const body = { model: 'claude-opus-5-5', max_tokens: 100, tools: [{ type: 'computer_toolset_20260801' as const }] }
    const whole = await client.messages.create({ ...body, messages: [{ role: 'user', content: 'hi' }] })
    expect(whole.content.map(({ type }) => type)).toEqual(['thinking', 'text', 'tool_use'])
    expect(whole.content[2]).toMatchObject({ name: 'screenshot', toolset_name: 'computer' })
    const stream = client.messages.stream({
      ...body,
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: whole.content },
        {
          role: 'user',
          content: whole.content.flatMap((block) =>
            block.type === 'tool_use'
              ? [{ type: 'tool_result' as const, tool_use_id: block.id, toolset_name: 'computer', content: 'OK' }]
              : [],
          ),
        },
      ],
    })
    expect(await stream.finalText()).toBe('Bye.')
  })

  test.each([
    ['a picture of the largest size of the high tier', 'claude-opus-5-5', 2576, 1400],
    ['a picture of the largest size of the standard tier', 'claude-haiku-4-5', 1568, 700],
    ['a usual desktop', 'claude-haiku-4-5', 1280, 800],
  ])('%s', async (_what, model, width, height) => {
    const body = { model, max_tokens: 100, messages: [user([await image(width, height)])] }
    expect((await post(body)).status).toBe(200)
  })
})

describe('refuses, in the words of the service', () => {
  test.each<[string, Body, RegExp]>([
    ['an unknown field', { ...base, temperature_: 1 }, /^temperature_: Extra inputs are not permitted$/],
    ['a missing max_tokens', { ...base, max_tokens: undefined }, /^max_tokens: Field required$/],
    ['a name on the toolset', { ...base, tools: [{ ...toolset, name: 'computer' }] }, /tools\.0\.name: Extra inputs/],
    [
      'display sizes on the toolset',
      { ...base, tools: [{ ...toolset, display_width_px: 1 }] },
      /display_width_px: Extra inputs/,
    ],
    [
      'a member that does not exist',
      { ...base, tools: [{ ...toolset, configs: { fly: {} } }] },
      /configs\.fly: Extra inputs/,
    ],
    [
      'two tools of one name',
      {
        ...base,
        tools: [
          { name: 'a', input_schema: { type: 'object' } },
          { name: 'a', input_schema: { type: 'object' } },
        ],
      },
      /must be unique/,
    ],
    [
      'an old computer tool on a new model',
      { ...base, tools: [{ type: 'computer_20251124', name: 'computer', display_width_px: 1, display_height_px: 1 }] },
      /does not support tool types: computer_20251124/,
    ],
    [
      'the toolset on an old model',
      { ...base, model: 'claude-haiku-4-5' },
      /does not support tool types: computer_toolset_20260801/,
    ],
    [
      'an old computer tool without its header',
      {
        ...base,
        model: 'claude-opus-4-6',
        tools: [{ type: 'computer_20251124', name: 'computer', display_width_px: 1, display_height_px: 1 }],
      },
      /does not match any of the expected tags/,
    ],
    [
      'five cache marks',
      {
        ...base,
        system: Array.from({ length: 5 }, () => ({ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } })),
      },
      /A maximum of 4 blocks with cache_control may be provided. Found 5/,
    ],
    [
      'an answer of the assistant at the end',
      { ...base, messages: [user('hi'), assistant({ type: 'text', text: 'well' })] },
      /does not support assistant message prefill/,
    ],
    [
      'a beginning by the assistant',
      { ...base, messages: [assistant({ type: 'text', text: 'well' }), user('hi')] },
      /first message must use the "user" role/,
    ],
    ['an empty message', { ...base, messages: [user([])] }, /non-empty content/],
    ['an empty text', { ...base, messages: [user([{ type: 'text', text: '  ' }])] }, /non-whitespace/],
    [
      'a call without a result',
      { ...base, messages: [user('hi'), assistant(call('t1')), user('go on')] },
      /`tool_use` ids were found without `tool_result` blocks immediately after: t1/,
    ],
    [
      'one result of two missing',
      { ...base, messages: [user('hi'), assistant(call('t1'), call('t2')), user([result('t1')])] },
      /immediately after: t2/,
    ],
    ['a result nobody asked for', { ...base, messages: [user([result('t9')])] }, /unexpected `tool_use_id`/],
    [
      'two results for one call',
      { ...base, messages: [user('hi'), assistant(call('t1')), user([result('t1'), result('t1')])] },
      /single result/,
    ],
    [
      'words before results',
      { ...base, messages: [user('hi'), assistant(call('t1')), user([{ type: 'text', text: 'so' }, result('t1')])] },
      /must come before other content/,
    ],
    [
      'a result that does not echo the toolset',
      { ...base, messages: [user('hi'), assistant(call('t1')), user([result('t1', { toolset_name: undefined })])] },
      /toolset_name: must match/,
    ],
    [
      'a result that names a toolset without cause',
      {
        ...base,
        tools: [toolset, { type: 'bash_20250124', name: 'bash' }],
        messages: [user('hi'), assistant(call('t1', { name: 'bash', toolset_name: undefined })), user([result('t1')])],
      },
      /toolset_name: must match/,
    ],
    [
      'thinking that somebody made up',
      {
        ...base,
        messages: [
          user('hi'),
          assistant({ type: 'thinking', thinking: 'x', signature: 'y' }, call('t1')),
          user([result('t1')]),
        ],
      },
      /Invalid `signature` in `thinking` block/,
    ],
    [
      'a thinking budget on a model without one',
      { ...base, thinking: { type: 'enabled', budget_tokens: 1024 } },
      /not supported for this model/,
    ],
    [
      'a thinking budget above the limit',
      { ...base, tools: [], model: 'claude-haiku-4-5', thinking: { type: 'enabled', budget_tokens: 1024 } },
      /`max_tokens` must be greater/,
    ],
    ['forced tools', { ...base, tool_choice: { type: 'any' } }, /forces tool use/],
  ])('%s', async (_what, body, message) => {
    expect(await post(body)).toMatchObject({
      status: 400,
      answer: { type: 'error', error: { type: 'invalid_request_error', message: expect.stringMatching(message) } },
    })
  })

  test.each<[string, string, number, number, number]>([
    ['a picture too wide for the high tier', 'claude-opus-5-5', 2577, 100, 1],
    ['a picture of too many tokens for the high tier', 'claude-opus-5-5', 2400, 1600, 1],
    ['a picture too wide for the standard tier', 'claude-haiku-4-5', 1569, 100, 1],
    ['a picture of too many tokens for the standard tier', 'claude-haiku-4-5', 1400, 1000, 1],
    ['large pictures when there are many', 'claude-opus-5-5', 2100, 100, 21],
  ])('%s', async (_what, model, width, height, count) => {
    const picture = await image(width, height)
    const body = { model, max_tokens: 100, messages: [user(Array.from({ length: count }, () => picture))] }
    expect(await post(body)).toMatchObject({ status: 400, answer: { error: { type: 'invalid_request_error' } } })
  })

  test('a picture that is not what it says', async () => {
    const body = { ...base, messages: [user([await image(10, 10, 'jpeg', 'image/png')])] }
    expect(await post(body)).toMatchObject({
      status: 400,
      answer: { error: { message: expect.stringContaining('media type') } },
    })
    const broken = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }
    expect((await post({ ...base, messages: [user([broken])] })).status).toBe(400)
  })

  test('thinking that is sent back in another conversation', async () => {
    const { answer } = await post(base)
    const content = JSON.parse(JSON.stringify(answer)).content
    const answered = content.flatMap((block: Body) => (block.type === 'tool_use' ? [result(String(block.id))] : []))
    const again = (first: string) => post({ ...base, messages: [user(first), assistant(...content), user(answered)] })
    expect((await again('hi')).status).toBe(200)
    expect(await again('ho')).toMatchObject({
      status: 400,
      answer: { error: { message: expect.stringContaining('signature') } },
    })
  })

  test('no key, a wrong key, no version, another path, an unknown model, a body that is too long', async () => {
    expect(await post(base, { 'x-api-key': '' })).toMatchObject({
      status: 401,
      answer: { error: { type: 'authentication_error' } },
    })
    expect((await post(base, { 'x-api-key': 'sk-wrong' })).status).toBe(401)
    expect((await post(base, { 'anthropic-version': '1999-01-01' })).status).toBe(400)
    expect((await fetch(`${server.url}/v1/complete`, { method: 'POST' })).status).toBe(404)
    expect(await post({ ...base, model: 'claude-9' })).toMatchObject({
      status: 404,
      answer: { error: { type: 'not_found_error', message: 'model: claude-9' } },
    })
    expect((await post({ ...base, system: 'x'.repeat(33_000_000) })).status).toBe(413)
  })
})
