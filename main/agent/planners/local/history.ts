import { z } from 'zod'
import { PictureRef, type Pictures } from '../conversation/pictures.ts'

/** A conversation with a chat server, pictures by name. */

const Part = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('picture'), picture: PictureRef }),
])
export type Part = z.infer<typeof Part>

const ToolCall = z.object({ id: z.string(), name: z.string(), arguments: z.string() })
export const ChatMessage = z.discriminatedUnion('role', [
  z.object({ role: z.literal('user'), content: z.array(Part) }),
  z.object({ role: z.literal('assistant'), text: z.string(), reasoning: z.string(), calls: z.array(ToolCall) }),
  z.object({ role: z.literal('tool'), id: z.string(), text: z.string() }),
])
export type ChatMessage = z.infer<typeof ChatMessage>

type WirePart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } }
export type WireChatMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: WirePart[] }
  | {
      role: 'assistant'
      content: string | null
      tool_calls?: { id: string; type: 'function'; function: { name: string; arguments: string } }[]
    }
  | { role: 'tool'; tool_call_id: string; content: string }

const GONE: Part = { type: 'text', text: '[An older screenshot, left out.]' }

/** Local models have little room: only the newest pictures stay. Some go at once, so that the server's cache lasts a while. */
export function withFewerPictures(messages: ChatMessage[], most: number, keep: number): ChatMessage[] {
  const count = messages.reduce((sum, message) => sum + picturesOf(message).length, 0)
  if (count <= most) return messages
  let drop = count - keep
  return messages.map((message) => {
    if (message.role !== 'user') return message
    return { ...message, content: message.content.map((part) => (part.type === 'picture' && drop-- > 0 ? GONE : part)) }
  })
}

/** The task and the last exchanges, for a server whose model cannot hold more. */
export function shortest(messages: ChatMessage[]): ChatMessage[] {
  const [first] = messages
  const from = messages.findLastIndex(
    (message, index) => message.role === 'assistant' && index > 0 && index < messages.length - 3,
  )
  if (!first || from < 2) return withFewerPictures(messages, 1, 1)
  const left: ChatMessage = {
    role: 'user',
    content: [{ type: 'text', text: '[What was done in between is left out.]' }],
  }
  return withFewerPictures([first, left, ...messages.slice(from)], 1, 1)
}

function picturesOf(message: ChatMessage): PictureRef[] {
  return message.role === 'user'
    ? message.content.flatMap((part) => (part.type === 'picture' ? [part.picture] : []))
    : []
}

/** Many chat templates want the roles to alternate, so neighbours of one role become one message. */
export async function wireChat(
  system: string,
  messages: ChatMessage[],
  pictures: Pictures,
): Promise<WireChatMessage[]> {
  const wire: WireChatMessage[] = [{ role: 'system', content: system }]
  for (const message of messages) {
    const last = wire.at(-1)
    if (message.role === 'tool') wire.push({ role: 'tool', tool_call_id: message.id, content: message.text })
    else if (message.role === 'assistant') {
      const calls = message.calls.map(({ id, ...fn }) => ({ id, type: 'function' as const, function: fn }))
      const content = message.text === '' && calls.length > 0 ? null : message.text
      wire.push({ role: 'assistant', content, ...(calls.length > 0 ? { tool_calls: calls } : {}) })
    } else {
      const parts = await Promise.all(message.content.map((part) => wirePart(part, pictures)))
      if (last?.role === 'user') last.content.push(...parts)
      else wire.push({ role: 'user', content: parts })
    }
  }
  return wire
}

async function wirePart(part: Part, pictures: Pictures): Promise<WirePart> {
  if (part.type === 'text') return part
  const encoded = await pictures.get(part.picture)
  if (!encoded) return { type: 'text', text: '[A screenshot that is lost.]' }
  return { type: 'image_url', image_url: { url: `data:${encoded.mediaType};base64,${encoded.base64}` } }
}
