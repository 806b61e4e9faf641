import { Refusal } from '../http-server.ts'
import { imageFacts } from '../image-size.ts'
import { betaFor, type KnownModel, knownModels, members } from './models.ts'
import type { MessagesBody, RequestBlock } from './schema.ts'

/** What is checked beyond the shape. */

function refuse(message: string): never {
  throw new Refusal(400, 'invalid_request_error', message)
}

export function modelOf(body: MessagesBody): KnownModel {
  const model = knownModels[body.model]
  if (!model) throw new Refusal(404, 'not_found_error', `model: ${body.model}`)
  return model
}

export function checkTools(body: MessagesBody, model: KnownModel, betas: string[]): void {
  const tools = body.tools ?? []
  const computers = tools.flatMap(({ type }) => (type?.startsWith('computer_') ? [type] : []))
  if (computers.length > 1) refuse('tools: Only one computer use tool may be provided.')
  const [computer] = computers
  if (computer && !model.computers.includes(computer))
    refuse(`'${body.model}' does not support tool types: ${computer}. Did you mean ${model.computers[0]}?`)
  const beta = computer && betaFor[computer]
  if (beta && !betas.includes(beta))
    refuse(
      `tools.0: Input tag '${computer}' found using 'type' does not match any of the expected tags (needs ${beta})`,
    )
  const names = tools.flatMap((tool) => ('name' in tool ? [tool.name] : []))
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice) refuse('tools: Tool names must be unique.')
}

export function checkThinking(body: MessagesBody, model: KnownModel): void {
  const { thinking, tool_choice } = body
  if (thinking && !model.thinking.includes(thinking.type))
    refuse(`thinking.type: "${thinking.type}" is not supported for this model.`)
  if (thinking?.type === 'enabled' && thinking.budget_tokens >= body.max_tokens)
    refuse('`max_tokens` must be greater than `thinking.budget_tokens`.')
  const forced = tool_choice?.type === 'any' || tool_choice?.type === 'tool'
  if (forced && thinking?.type !== 'disabled') refuse('Thinking may not be enabled when tool_choice forces tool use.')
}

export function checkCacheMarks(body: MessagesBody): void {
  const marked = (block: object) => 'cache_control' in block && block.cache_control != null
  const system = typeof body.system === 'string' ? [] : (body.system ?? [])
  const blocks = body.messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content))
  const inside = blocks.flatMap((block) =>
    block.type === 'tool_result' && Array.isArray(block.content) ? block.content : [],
  )
  const found = [...system, ...(body.tools ?? []), ...blocks, ...inside].filter(marked).length
  if (found > 4) refuse(`A maximum of 4 blocks with cache_control may be provided. Found ${found}.`)
}

/** Consecutive messages of one role count as one. */
export function joined(body: MessagesBody): { role: 'user' | 'assistant'; content: RequestBlock[] }[] {
  const turns: { role: 'user' | 'assistant'; content: RequestBlock[] }[] = []
  body.messages.forEach(({ role, content }, index) => {
    if (content.length === 0) refuse(`messages.${index}: all messages must have non-empty content`)
    const blocks: RequestBlock[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content
    const last = turns.at(-1)
    if (last?.role === role) last.content.push(...blocks)
    else turns.push({ role, content: [...blocks] })
  })
  return turns
}

export function checkMessages(body: MessagesBody): void {
  const turns = joined(body)
  if (turns[0]?.role !== 'user') refuse('messages: first message must use the "user" role')
  if (turns.at(-1)?.role !== 'user')
    refuse('This model does not support assistant message prefill. The conversation must end with a user message.')
  const hasToolset = (body.tools ?? []).some(({ type }) => type === 'computer_toolset_20260801')
  const used = new Set<string>()
  turns.forEach(({ role, content }, index) => {
    for (const block of content) {
      const allowed =
        role === 'user' ? ['text', 'image', 'tool_result'] : ['text', 'tool_use', 'thinking', 'redacted_thinking']
      if (!allowed.includes(block.type))
        refuse(`messages.${index}: \`${block.type}\` blocks cannot be in ${role} turns`)
      if (block.type === 'text' && block.text.trim() === '')
        refuse('messages: text content blocks must contain non-whitespace text')
      if (block.type === 'tool_use') {
        if (used.has(block.id)) refuse('messages: `tool_use` ids must be unique')
        used.add(block.id)
        if (block.toolset_name != null && !(hasToolset && block.toolset_name === 'computer' && members.has(block.name)))
          refuse(`messages.${index}: \`toolset_name\` does not name a declared toolset with a member "${block.name}"`)
      }
    }
    checkAnswers(content, turns[index - 1]?.content ?? [], index)
  })
}

/** Every call is answered in the very next message, before anything else is said there. */
function checkAnswers(content: RequestBlock[], before: RequestBlock[], index: number): void {
  const calls = before.filter((block) => block.type === 'tool_use')
  const results = content.filter((block) => block.type === 'tool_result')
  const open = calls.filter(({ id }) => !results.some(({ tool_use_id }) => tool_use_id === id))
  if (open.length > 0)
    refuse(
      `messages.${index - 1}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.map(({ id }) => id).join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
    )
  const firstOther = content.findIndex(({ type }) => type !== 'tool_result')
  if (results.length > 0 && firstOther !== -1 && content.slice(firstOther).some(({ type }) => type === 'tool_result'))
    refuse(`messages.${index}: \`tool_result\` blocks must come before other content`)
  results.forEach((result, at) => {
    const call = calls.find(({ id }) => id === result.tool_use_id)
    if (!call)
      refuse(
        `messages.${index}.content.${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${result.tool_use_id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
      )
    if (results.findIndex(({ tool_use_id }) => tool_use_id === result.tool_use_id) !== at)
      refuse(`messages.${index}.content.${at}: each tool_use must have a single result. Found multiple.`)
    if ((result.toolset_name ?? null) !== (call.toolset_name ?? null))
      refuse(
        `messages.${index}.content.${at}.toolset_name: must match the \`toolset_name\` of the paired \`tool_use\` (${call.toolset_name ?? 'none'})`,
      )
    if (result.is_error && Array.isArray(result.content) && result.content.length === 0)
      refuse(`messages.${index}.content.${at}: content cannot be empty if \`is_error\` is true`)
  })
}

const limits = { standard: { edge: 1568, tokens: 1568 }, high: { edge: 2576, tokens: 4784 } }

export function checkImages(body: MessagesBody, model: KnownModel): void {
  const images = joined(body).flatMap(({ content }) =>
    content.flatMap((block) =>
      block.type === 'image'
        ? [block]
        : block.type === 'tool_result' && Array.isArray(block.content)
          ? block.content.filter((part) => part.type === 'image')
          : [],
    ),
  )
  if (images.length > 600) refuse(`messages: too many images (${images.length}); the maximum is 600`)
  for (const { source } of images) {
    const data = Buffer.from(source.data, 'base64')
    if (data.length > 10_000_000) refuse('messages: image exceeds 10 MB maximum')
    const facts = imageFacts(data)
    if (!facts) refuse('messages: Could not process image')
    if (facts.mediaType !== source.media_type)
      refuse(`messages: Image does not match the provided media type ${source.media_type}`)
    const { width, height } = facts
    if (images.length > 20 && Math.max(width, height) > 2000)
      refuse(
        'messages: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels',
      )
    const { edge, tokens } = limits[model.image]
    const needed = Math.ceil(width / 28) * Math.ceil(height / 28)
    if (Math.max(width, height) > edge || needed > tokens)
      refuse(
        `messages: image dimensions ${width}x${height} exceed the model's maximum (long edge ${edge} px, ${tokens} tokens)`,
      )
  }
}
