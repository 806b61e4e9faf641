import { z } from 'zod'
import { Refusal } from '../http-server.ts'
import { imageFacts } from '../image-size.ts'

/** A request for a response, no field more than the service knows. */

const detail = z.enum(['low', 'high', 'auto', 'original'])
const InputText = z.strictObject({ type: z.literal('input_text'), text: z.string() })
const InputImage = z.strictObject({ type: z.literal('input_image'), image_url: z.string(), detail: detail.optional() })
const SafetyCheck = z.strictObject({ id: z.string(), code: z.string().nullish(), message: z.string().nullish() })
const status = z.enum(['in_progress', 'completed', 'incomplete'])

const InputItem = z.union([
  z.strictObject({
    type: z.literal('message').optional(),
    role: z.enum(['user', 'developer', 'system']),
    content: z.union([z.string(), z.array(z.discriminatedUnion('type', [InputText, InputImage])).min(1)]),
  }),
  z.strictObject({
    type: z.literal('message'),
    id: z.string().startsWith('msg_'),
    role: z.literal('assistant'),
    status,
    phase: z.enum(['commentary', 'final_answer']).nullish(),
    content: z.array(
      z.discriminatedUnion('type', [
        z.strictObject({ type: z.literal('output_text'), text: z.string(), annotations: z.array(z.unknown()) }),
        z.strictObject({ type: z.literal('refusal'), refusal: z.string() }),
      ]),
    ),
  }),
  z.strictObject({
    type: z.literal('reasoning'),
    id: z.string().startsWith('rs_'),
    summary: z.array(z.strictObject({ type: z.literal('summary_text'), text: z.string() })),
    encrypted_content: z.string().nullish(),
  }),
  z.strictObject({
    type: z.literal('computer_call'),
    id: z.string().startsWith('cu_'),
    call_id: z.string(),
    status,
    pending_safety_checks: z.array(SafetyCheck),
    action: z.looseObject({ type: z.string() }).optional(),
    actions: z.array(z.looseObject({ type: z.string() })).optional(),
  }),
  z.strictObject({
    type: z.literal('computer_call_output'),
    call_id: z.string(),
    output: z.strictObject({
      type: z.literal('computer_screenshot'),
      image_url: z.string(),
      detail: detail.optional(),
    }),
    acknowledged_safety_checks: z.array(SafetyCheck).nullish(),
  }),
  z.strictObject({
    type: z.literal('function_call'),
    id: z.string().startsWith('fc_').optional(),
    call_id: z.string(),
    name: z.string(),
    arguments: z.string(),
  }),
  z.strictObject({ type: z.literal('function_call_output'), call_id: z.string(), output: z.string() }),
])
export type WireItem = z.infer<typeof InputItem>

export const ResponsesBody = z.strictObject({
  model: z.string(),
  instructions: z.string().optional(),
  input: z.array(InputItem).min(1),
  tools: z
    .array(
      z.discriminatedUnion('type', [
        z.strictObject({ type: z.literal('computer') }),
        z.strictObject({
          type: z.literal('computer_use_preview'),
          display_width: z.number().int(),
          display_height: z.number().int(),
          environment: z.enum(['windows', 'mac', 'linux', 'ubuntu', 'browser']),
        }),
        z.strictObject({
          type: z.literal('function'),
          name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
          description: z.string().optional(),
          parameters: z.looseObject({ type: z.literal('object') }),
          strict: z.boolean(),
        }),
      ]),
    )
    .optional(),
  max_output_tokens: z.number().int().min(16).optional(),
  reasoning: z
    .strictObject({ summary: z.enum(['auto', 'concise', 'detailed']).optional(), effort: z.string().optional() })
    .optional(),
  include: z.array(z.string()).optional(),
  store: z.boolean().optional(),
  stream: z.boolean().optional(),
  truncation: z.enum(['auto', 'disabled']).optional(),
})
export type ResponsesBody = z.infer<typeof ResponsesBody>

function refuse(message: string): never {
  throw new Refusal(400, 'invalid_request_error', message)
}

export function parseResponses(text: string): ResponsesBody {
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    refuse('We could not parse the JSON body of your request.')
  }
  const parsed = ResponsesBody.safeParse(given)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  if (issue?.code === 'unrecognized_keys' && issue.path.length === 0) refuse(`Unknown parameter: '${issue.keys[0]}'.`)
  const path = issue?.path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('')
  const inner = issue?.code === 'invalid_union' ? JSON.stringify(issue.errors.at(-1)) : issue?.message
  refuse(`Invalid value: '${path?.slice(1)}'. ${inner}`)
}

/** Calls and outputs belong together, warnings must be taken responsibility for, and pictures must be pictures. */
export function checkResponses(body: ResponsesBody, issued: Map<string, string>): void {
  const tools = body.tools ?? []
  const preview = body.model.startsWith('computer-use-preview')
  if (tools.some(({ type }) => type === 'computer') && preview)
    refuse(`Tool 'computer' is not supported with ${body.model}.`)
  if (tools.some(({ type }) => type === 'computer_use_preview') && !preview)
    refuse(`Tool 'computer_use_preview' is not supported with ${body.model}.`)
  if (preview && body.truncation !== 'auto') refuse("Model computer-use-preview requires 'truncation' to be 'auto'.")
  body.input.forEach((item, index) => {
    if (item.type === 'computer_call' || item.type === 'function_call') checkCall(body.input, item, index)
    if (item.type === 'computer_call_output' || item.type === 'function_call_output')
      checkOutput(body.input.slice(0, index), item)
    if (item.type === 'reasoning') checkReasoning(body, item, index, issued)
    if ('role' in item && Array.isArray(item.content))
      for (const part of item.content) if (part.type === 'input_image') checkImage(part.image_url)
  })
}

function checkCall(
  items: WireItem[],
  call: WireItem & { type: 'computer_call' | 'function_call' },
  index: number,
): void {
  const kind = call.type === 'computer_call' ? 'computer' : 'function'
  const answered = items
    .slice(index)
    .some(
      (item) =>
        (item.type === 'computer_call_output' || item.type === 'function_call_output') &&
        item.type === `${call.type}_output` &&
        item.call_id === call.call_id,
    )
  if (!answered) refuse(`No tool output found for ${kind} call ${call.call_id}.`)
}

function checkOutput(
  before: WireItem[],
  output: WireItem & { type: 'computer_call_output' | 'function_call_output' },
): void {
  const call = before.find(
    (item) => `${item.type}_output` === output.type && 'call_id' in item && item.call_id === output.call_id,
  )
  const kind = output.type === 'computer_call_output' ? 'computer' : 'function'
  if (!call) refuse(`No tool call found for ${kind} call output with call_id ${output.call_id}.`)
  if (before.some((item) => item.type === output.type && item.call_id === output.call_id))
    refuse(`Duplicate output for call_id ${output.call_id}.`)
  if (output.type !== 'computer_call_output' || call.type !== 'computer_call') return
  checkImage(output.output.image_url)
  const taken = new Set((output.acknowledged_safety_checks ?? []).map(({ id }) => id))
  const open = call.pending_safety_checks.filter(({ id }) => !taken.has(id))
  if (open.length > 0)
    refuse(`The following computer safety checks have not been acknowledged: ${open.map(({ id }) => id).join(', ')}.`)
}

/** Reasoning comes back whole, with what it led to. */
function checkReasoning(
  body: ResponsesBody,
  item: WireItem & { type: 'reasoning' },
  index: number,
  issued: Map<string, string>,
): void {
  if (body.store === false && !item.encrypted_content)
    refuse(`Item with id '${item.id}' not found. Items are not persisted when \`store\` is set to false.`)
  if (item.encrypted_content && issued.get(item.id) !== item.encrypted_content)
    refuse(`The encrypted content for item ${item.id} could not be verified.`)
  const next = body.input[index + 1]
  const follows = next?.type === 'computer_call' || next?.type === 'function_call' || next?.type === 'reasoning'
  if (!follows && !(next?.type === 'message' && next.role === 'assistant'))
    refuse(`Item '${item.id}' of type 'reasoning' was provided without its required following item.`)
}

function checkImage(url: string): void {
  const data = /^data:image\/(?:png|jpeg);base64,([A-Za-z0-9+/=]+)$/.exec(url)?.[1]
  const facts = data && imageFacts(Buffer.from(data, 'base64'))
  if (!facts) refuse('The image data you provided does not represent a valid image.')
  if (Math.max(facts.width, facts.height) > 6000) refuse('The image is larger than 6000 pixels a side.')
}
