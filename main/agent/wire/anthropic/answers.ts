/** What a scripted or rule-driven model says, and how it goes out on the wire. */

export type AnswerBlock =
  | { type: 'text'; text: string }
  | { type: 'thinking'; thinking: string }
  | { type: 'tool_use'; name: string; input: unknown; id?: string; toolset?: string; rawJson?: string }

export type Answer =
  | Said
  /** An error before anything was said. */
  | { status: number; type: string; message: string; headers?: Record<string, string> }
  /** The connection is cut after this many events. */
  | (Said & { cutAfter: number })
  /** An error in the middle of the stream. */
  | (Said & { errorAfter: number; error: { type: string; message: string } })
  /** Nothing more comes, and the connection stays open. */
  | (Said & { hangAfter: number })

export type Said = {
  content: AnswerBlock[]
  stop?: string
  explanation?: string
  usage?: { input?: number; output?: number; cacheRead?: number; cacheWrite?: number }
}

export function say(text: string): AnswerBlock {
  return { type: 'text', text }
}

export function think(thinking: string): AnswerBlock {
  return { type: 'thinking', thinking }
}

/** A member of the computer toolset. */
export function computer(name: string, input: unknown = {}): AnswerBlock {
  return { type: 'tool_use', name, input, toolset: 'computer' }
}

export function tool(name: string, input: unknown = {}): AnswerBlock {
  return { type: 'tool_use', name, input }
}

export type Block = Record<string, unknown> & { type: string }

/** Blocks as they stand in a whole message. */
export function wireBlocks(said: Said, nextId: () => string, sign: (thinking: string) => string): Block[] {
  return said.content.map((block): Block => {
    if (block.type === 'text') return { type: 'text', text: block.text, citations: null }
    if (block.type === 'thinking')
      return { type: 'thinking', thinking: block.thinking, signature: sign(block.thinking) }
    return {
      type: 'tool_use',
      id: block.id ?? nextId(),
      name: block.name,
      input: block.input,
      caller: { type: 'direct' },
      ...(block.toolset ? { toolset_name: block.toolset } : {}),
    }
  })
}

export function stopOf({ stop, content }: Said): string {
  return stop ?? (content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn')
}

export function usageOf({ usage }: Said) {
  return {
    input_tokens: usage?.input ?? 1000,
    output_tokens: usage?.output ?? 50,
    cache_read_input_tokens: usage?.cacheRead ?? 0,
    cache_creation_input_tokens: usage?.cacheWrite ?? 0,
  }
}

/** The events of a stream, in the order of the service. Text comes in pieces, arguments in smaller ones. */
export function streamEvents(message: Record<string, unknown>, blocks: Block[], said: Said): Record<string, unknown>[] {
  const events: Record<string, unknown>[] = [
    {
      type: 'message_start',
      message: { ...message, content: [], stop_reason: null, usage: { ...usageOf(said), output_tokens: 1 } },
    },
    { type: 'ping' },
  ]
  blocks.forEach((block, index) => {
    const delta = (part: Record<string, unknown>) => events.push({ type: 'content_block_delta', index, delta: part })
    const start = (shell: Record<string, unknown>) =>
      events.push({ type: 'content_block_start', index, content_block: shell })
    if (block.type === 'text') {
      start({ ...block, text: '' })
      for (const text of pieces(String(block.text), 40)) delta({ type: 'text_delta', text })
    } else if (block.type === 'thinking') {
      start({ type: 'thinking', thinking: '', signature: '' })
      for (const thinking of pieces(String(block.thinking), 40)) delta({ type: 'thinking_delta', thinking })
      delta({ type: 'signature_delta', signature: block.signature })
    } else {
      start({ ...block, input: {} })
      const asked = said.content[index]
      const json =
        asked?.type === 'tool_use' && asked.rawJson !== undefined ? asked.rawJson : JSON.stringify(block.input)
      for (const partial_json of pieces(json, 20)) delta({ type: 'input_json_delta', partial_json })
    }
    events.push({ type: 'content_block_stop', index })
  })
  const details = said.explanation ? { stop_details: { type: 'refusal', explanation: said.explanation } } : {}
  events.push({
    type: 'message_delta',
    delta: { stop_reason: stopOf(said), stop_sequence: null, ...details },
    usage: { output_tokens: usageOf(said).output_tokens },
  })
  events.push({ type: 'message_stop' })
  return events
}

function pieces(text: string, size: number): string[] {
  const length = Math.max(size, Math.ceil(text.length / 200)) // long texts come in larger pieces
  return Array.from({ length: Math.ceil(text.length / length) }, (_, n) => text.slice(n * length, (n + 1) * length))
}
