import { z } from 'zod'
import { PictureRef } from '../conversation/pictures.ts'

/** The conversation as it is kept: what the Messages API takes, with pictures by name. */

const Text = z.object({ type: z.literal('text'), text: z.string() })
const Picture = z.object({ type: z.literal('picture'), picture: PictureRef })
const ToolUse = z.object({
  type: z.literal('tool_use'),
  id: z.string(),
  name: z.string(),
  input: z.unknown(),
  toolset_name: z.string().optional(),
  clipped: z.boolean().optional(), // the input was too long to be kept whole
})
const ToolResult = z.object({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  toolset_name: z.string().optional(),
  is_error: z.boolean(),
  content: z.array(z.discriminatedUnion('type', [Text, Picture])),
})
const Thinking = z.object({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() })
const Redacted = z.object({ type: z.literal('redacted_thinking'), data: z.string() })

export const AssistantBlock = z.discriminatedUnion('type', [Text, ToolUse, Thinking, Redacted])
export type AssistantBlock = z.infer<typeof AssistantBlock>
export const UserBlock = z.discriminatedUnion('type', [Text, Picture, ToolResult])
export type UserBlock = z.infer<typeof UserBlock>
export type ToolUse = z.infer<typeof ToolUse>

export const Message = z.discriminatedUnion('role', [
  z.object({ role: z.literal('user'), content: z.array(UserBlock) }),
  z.object({ role: z.literal('assistant'), content: z.array(AssistantBlock) }),
])
export type Message = z.infer<typeof Message>

export function picturesIn(messages: Message[]): PictureRef[] {
  return messages.flatMap((message) =>
    message.role === 'assistant'
      ? []
      : message.content.flatMap((block) =>
          block.type === 'picture'
            ? [block.picture]
            : block.type === 'tool_result'
              ? block.content.flatMap((part) => (part.type === 'picture' ? [part.picture] : []))
              : [],
        ),
  )
}

const GONE = { type: 'text', text: '[An older screenshot, left out.]' } as const

/**
 * The same conversation with only the newest `keep` pictures. Where thinking is bound to what stood before it, the
 * thinking after the first picture taken out goes too.
 */
export function withoutOldPictures(messages: Message[], keep: number, boundThinking: boolean): Message[] {
  let left = picturesIn(messages).length - keep
  let changed = false
  return messages.map((message): Message => {
    if (message.role === 'assistant') {
      if (!changed || !boundThinking) return message
      const content = message.content.filter(({ type }) => type !== 'thinking' && type !== 'redacted_thinking')
      return { role: 'assistant', content: content.length > 0 ? content : [{ type: 'text', text: '(thought)' }] }
    }
    const drop = <B extends { type: string }>(block: B): B | typeof GONE => {
      if (block.type !== 'picture' || left <= 0) return block
      left--
      changed = true
      return GONE
    }
    const content = message.content.map((block) =>
      block.type === 'tool_result' ? { ...block, content: block.content.map(drop) } : drop(block),
    )
    return { role: 'user', content }
  })
}
