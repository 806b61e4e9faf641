import { z } from 'zod'
import { Refusal } from '../http-server.ts'
import { members } from './models.ts'

/** The shape of a request, nothing more allowed than what the service knows. */

const cache = {
  cache_control: z.strictObject({ type: z.literal('ephemeral'), ttl: z.enum(['5m', '1h']).optional() }).nullish(),
}

const Text = z.strictObject({ type: z.literal('text'), text: z.string(), citations: z.null().optional(), ...cache })
const Image = z.strictObject({
  type: z.literal('image'),
  source: z.strictObject({
    type: z.literal('base64'),
    media_type: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
    data: z.string(),
  }),
  transformations: z.strictObject({ oversized_image: z.enum(['downsize', 'error']).optional() }).nullish(),
  ...cache,
})
const ToolUse = z.strictObject({
  type: z.literal('tool_use'),
  id: z.string().regex(/^[a-zA-Z0-9_-]+$/),
  name: z.string().min(1).max(200),
  input: z.record(z.string(), z.unknown()),
  caller: z.strictObject({ type: z.literal('direct') }).optional(),
  toolset_name: z.string().nullish(),
  ...cache,
})
const ToolResult = z.strictObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: z.union([z.string(), z.array(z.discriminatedUnion('type', [Text, Image]))]).optional(),
  is_error: z.boolean().optional(),
  toolset_name: z.string().nullish(),
  ...cache,
})
const Thinking = z.strictObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() })
const Redacted = z.strictObject({ type: z.literal('redacted_thinking'), data: z.string() })
const Block = z.discriminatedUnion('type', [Text, Image, ToolUse, ToolResult, Thinking, Redacted])

const MessageBody = z.strictObject({
  role: z.enum(['user', 'assistant']),
  content: z.union([z.string(), z.array(Block)]),
})

const toolName = z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/)
const display = {
  name: z.literal('computer'),
  display_width_px: z.number().int().min(1),
  display_height_px: z.number().int().min(1),
  display_number: z.number().int().nullish(),
  ...cache,
}
const memberConfig = z.strictObject({ enabled: z.boolean().nullish(), defer_loading: z.boolean().nullish() }).nullish()
const Special = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('computer_toolset_20260801'),
    configs: z.strictObject(Object.fromEntries([...members].map((name) => [name, memberConfig]))).nullish(),
    ...cache,
  }),
  z.strictObject({ type: z.literal('computer_20251124'), ...display, enable_zoom: z.boolean().optional() }),
  z.strictObject({ type: z.literal('computer_20250124'), ...display }),
  z.strictObject({ type: z.literal('bash_20250124'), name: z.literal('bash'), ...cache }),
  z.strictObject({
    type: z.literal('text_editor_20250728'),
    name: z.literal('str_replace_based_edit_tool'),
    max_characters: z.number().int().positive().nullish(),
    ...cache,
  }),
])
const Custom = z.strictObject({
  type: z.literal('custom').nullish(),
  name: toolName,
  description: z.string().optional(),
  input_schema: z.looseObject({ type: z.literal('object') }),
  strict: z.boolean().optional(),
  ...cache,
})

export const MessagesBody = z.strictObject({
  model: z.string().min(1),
  messages: z.array(MessageBody).min(1).max(100_000),
  max_tokens: z.number().int().min(1),
  system: z.union([z.string(), z.array(Text)]).optional(),
  tools: z.array(z.union([Special, Custom])).optional(),
  tool_choice: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('auto'), disable_parallel_tool_use: z.boolean().optional() }),
      z.strictObject({ type: z.literal('any'), disable_parallel_tool_use: z.boolean().optional() }),
      z.strictObject({ type: z.literal('none') }),
      z.strictObject({ type: z.literal('tool'), name: z.string(), disable_parallel_tool_use: z.boolean().optional() }),
    ])
    .optional(),
  thinking: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('adaptive'), display: z.enum(['summarized', 'omitted']).nullish() }),
      z.strictObject({
        type: z.literal('enabled'),
        budget_tokens: z.number().int().min(1024),
        display: z.enum(['summarized', 'omitted']).nullish(),
      }),
      z.strictObject({ type: z.literal('disabled') }),
    ])
    .optional(),
  output_config: z.strictObject({ effort: z.enum(['low', 'medium', 'high', 'xhigh', 'max']).nullish() }).optional(),
  metadata: z.strictObject({ user_id: z.string().nullish() }).optional(),
  service_tier: z.enum(['auto', 'standard_only']).optional(),
  stop_sequences: z.array(z.string()).optional(),
  stream: z.boolean().optional(),
})
export type MessagesBody = z.infer<typeof MessagesBody>
export type RequestBlock = z.infer<typeof Block>

/** In the words of the service: the path, then what is wrong there. */
export function parseRequest(text: string): MessagesBody {
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    throw new Refusal(400, 'invalid_request_error', 'The request body is not valid JSON')
  }
  const parsed = MessagesBody.safeParse(given)
  if (parsed.success) return parsed.data
  const issue = deepest(parsed.error.issues)
  const path = issue.path.join('.')
  if (issue.code === 'unrecognized_keys')
    throw new Refusal(
      400,
      'invalid_request_error',
      `${[path, issue.keys[0]].filter(Boolean).join('.')}: Extra inputs are not permitted`,
    )
  const missing = issue.code === 'invalid_type' && /received undefined/.test(issue.message)
  throw new Refusal(400, 'invalid_request_error', `${path}: ${missing ? 'Field required' : issue.message}`)
}

type Issue = z.core.$ZodIssue

/** Of a union's many complaints, the one that came furthest. */
function deepest(issues: Issue[], above: PropertyKey[] = []): Issue {
  const flat = issues.flatMap((issue): Issue[] => {
    const path = [...above, ...issue.path]
    if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [{ ...issue, path }]
    return issue.errors.map((branch) => deepest(branch, path))
  })
  const order = (issue: Issue) => issue.path.length + (issue.code === 'unrecognized_keys' ? 0.5 : 0)
  const [first] = flat.sort((a, b) => order(b) - order(a))
  if (!first) throw new Error('there was no issue')
  return first
}
