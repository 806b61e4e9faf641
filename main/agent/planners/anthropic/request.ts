import { leadingTools } from '../conversation/own-tools.ts'
import type { Pictures } from '../conversation/pictures.ts'
import { BASH, EDITOR } from './companions.ts'
import type { AssistantBlock, Message, UserBlock } from './history.ts'
import type { Traits } from './models.ts'

/** A request to the Messages API: the part of it that we use, in a form both of the SDK's surfaces take. */

type CacheMark = { cache_control?: { type: 'ephemeral' } }
type WireText = { type: 'text'; text: string } & CacheMark
type WireImage = {
  type: 'image'
  source: { type: 'base64'; media_type: 'image/png' | 'image/jpeg'; data: string }
} & CacheMark
type WireToolResult = {
  type: 'tool_result'
  tool_use_id: string
  toolset_name?: string
  is_error: boolean
  content: (WireText | WireImage)[]
} & CacheMark
type WireUserBlock = WireText | WireImage | WireToolResult
type WireAssistantBlock =
  | WireText
  | { type: 'tool_use'; id: string; name: string; input: unknown; toolset_name?: string }
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string }
export type WireMessage =
  | { role: 'user'; content: WireUserBlock[] }
  | { role: 'assistant'; content: WireAssistantBlock[] }

const MARK = { cache_control: { type: 'ephemeral' } } as const
/** One more stands after the system prompt; four is what the service allows. */
const RECENT_MARKS = 3

export function wireSystem(text: string): WireText[] {
  return [{ type: 'text', text, ...MARK }]
}

const ownTools = leadingTools.map(({ name, description, schema }) => ({ name, description, input_schema: schema }))

const companions = [
  { type: 'bash_20250124', name: BASH },
  { type: 'text_editor_20250728', name: EDITOR },
] as const

export function toolsetTools() {
  return [{ type: 'computer_toolset_20260801' } as const, ...companions, ...ownTools]
}

export function olderTools(computer: Exclude<Traits['computer'], 'computer_toolset_20260801'>, screen: Size) {
  const display = { name: 'computer', display_width_px: screen.width, display_height_px: screen.height } as const
  const tool =
    computer === 'computer_20251124'
      ? { type: computer, ...display, enable_zoom: true }
      : { type: computer, ...display }
  return [tool, ...companions, ...ownTools]
}
type Size = { width: number; height: number }

export function thinkingFor({ thinking }: Traits) {
  return thinking === 'adaptive'
    ? ({ type: 'adaptive', display: 'summarized' } as const)
    : ({ type: 'enabled', budget_tokens: 4096 } as const)
}

/** Marks are put on the copy only: the history stays as it is, so that what was cached is found again. */
export async function wireMessages(messages: Message[], pictures: Pictures): Promise<WireMessage[]> {
  const wire = await Promise.all(
    messages.map(async (message): Promise<WireMessage> => {
      if (message.role === 'user')
        return { role: 'user', content: await Promise.all(message.content.map((block) => userBlock(block, pictures))) }
      const content = message.content.map(assistantBlock)
      return { role: 'assistant', content }
    }),
  )
  const recent = wire.filter((message) => message.role === 'user').slice(-RECENT_MARKS)
  for (const { content } of recent) Object.assign(content.at(-1) ?? {}, MARK)
  return wire
}

function assistantBlock(block: AssistantBlock): WireAssistantBlock {
  if (block.type !== 'tool_use') return block
  const { type, id, name, input, toolset_name } = block
  return { type, id, name, input, ...toolset(toolset_name) }
}

async function userBlock(block: UserBlock, pictures: Pictures): Promise<WireUserBlock> {
  if (block.type === 'text') return { ...block }
  if (block.type === 'picture') return image(block, pictures)
  const content = await Promise.all(
    block.content.map((part) => (part.type === 'picture' ? image(part, pictures) : { ...part })),
  )
  const { toolset_name, ...rest } = block
  return { ...rest, ...toolset(toolset_name), content }
}

async function image({ picture }: UserBlock & { type: 'picture' }, pictures: Pictures): Promise<WireText | WireImage> {
  const encoded = await pictures.get(picture)
  if (!encoded) return { type: 'text', text: '[A screenshot that is lost.]' }
  return { type: 'image', source: { type: 'base64', media_type: encoded.mediaType, data: encoded.base64 } }
}

function toolset(name: string | undefined): { toolset_name?: string } {
  return name === undefined ? {} : { toolset_name: name }
}
