import { z } from 'zod'
import { Refusal } from '../http-server.ts'
import { imageFacts } from '../image-size.ts'

/** A request for a chat completion, no field more than the servers know. */

const Text = z.strictObject({ type: z.literal('text'), text: z.string() })
const Image = z.strictObject({
  type: z.literal('image_url'),
  image_url: z.strictObject({ url: z.string(), detail: z.enum(['auto', 'low', 'high']).optional() }),
})
const ToolCall = z.strictObject({
  id: z.string().min(1),
  type: z.literal('function'),
  function: z.strictObject({ name: z.string().min(1), arguments: z.string() }),
})
const ChatMessage = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('system'), content: z.string() }),
  z.strictObject({
    role: z.literal('user'),
    content: z.union([z.string(), z.array(z.discriminatedUnion('type', [Text, Image])).min(1)]),
  }),
  z.strictObject({
    role: z.literal('assistant'),
    content: z.string().nullable(),
    tool_calls: z.array(ToolCall).min(1).optional(),
  }),
  z.strictObject({ role: z.literal('tool'), tool_call_id: z.string(), content: z.string() }),
])

export const ChatBody = z.strictObject({
  model: z.string(),
  messages: z.array(ChatMessage).min(1),
  max_tokens: z.number().int().min(1).optional(),
  temperature: z.number().min(0).max(2).optional(),
  stream: z.boolean().optional(),
  stream_options: z.strictObject({ include_usage: z.boolean().optional() }).optional(),
  tools: z
    .array(
      z.strictObject({
        type: z.literal('function'),
        function: z.strictObject({
          name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
          description: z.string().optional(),
          parameters: z.looseObject({ type: z.literal('object') }).optional(),
        }),
      }),
    )
    .min(1)
    .optional(),
})
export type ChatBody = z.infer<typeof ChatBody>

function refuse(message: string): never {
  throw new Refusal(400, 'invalid_request_error', message)
}

export function parseChat(text: string): ChatBody {
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    refuse('We could not parse the JSON body of your request.')
  }
  const parsed = ChatBody.safeParse(given)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    if (issue?.code === 'unrecognized_keys' && issue.path.length === 0)
      refuse(`Unrecognized request argument supplied: ${issue.keys[0]}`)
    refuse(`Invalid value for '${issue?.path.join('.')}': ${issue?.message}`)
  }
  checkOrder(parsed.data)
  checkImages(parsed.data)
  return parsed.data
}

/** What chat templates insist on: system first, roles in turn, every call answered by a tool message at once. */
function checkOrder({ messages }: ChatBody): void {
  let open = new Set<string>()
  messages.forEach((message, index) => {
    const before = messages[index - 1]
    if (message.role === 'system' && index > 0) refuse('System message must be at the beginning.')
    if (message.role === 'tool') {
      if (!open.delete(message.tool_call_id))
        refuse(`messages with role 'tool' must be a response to a preceding message with 'tool_calls'.`)
      return
    }
    if (open.size > 0)
      refuse(
        `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...open].join(', ')}`,
      )
    if (message.role === 'user' && before?.role === 'user')
      refuse('Conversation roles must alternate user/assistant/...')
    if (message.role === 'assistant') {
      if (before?.role === 'assistant') refuse('Conversation roles must alternate user/assistant/...')
      if (!message.content && !message.tool_calls) refuse('An assistant message needs content or tool_calls.')
      open = new Set(message.tool_calls?.map(({ id }) => id))
    }
  })
  if (messages.at(-1)?.role === 'assistant') refuse('The last message must not be from the assistant.')
}

function checkImages({ messages }: ChatBody): void {
  for (const data of imagesIn(messages))
    if (!imageFacts(data)) refuse('The image data you provided does not represent a valid image.')
}

export function imagesIn(messages: ChatBody['messages']): Buffer[] {
  return messages.flatMap((message) =>
    message.role !== 'user' || typeof message.content === 'string'
      ? []
      : message.content.flatMap((part) => (part.type === 'image_url' ? [decode(part.image_url.url)] : [])),
  )
}

function decode(url: string): Buffer {
  const found = /^data:image\/(?:png|jpeg);base64,([A-Za-z0-9+/=]+)$/.exec(url)
  if (!found) refuse('Invalid image_url: only base64 data URLs of PNG or JPEG are accepted here.')
  return Buffer.from(found[1] ?? '', 'base64')
}
