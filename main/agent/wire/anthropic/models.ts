/**
 * What each model accepts, written down model by model and apart from the planner's own rule, so that a mistake in one of
 * them shows. Sizes: standard 1568 px and 1568 tokens, high 2576 px and 4784 tokens.
 */
export type KnownModel = {
  computers: string[]
  image: 'standard' | 'high'
  thinking: ('adaptive' | 'enabled' | 'disabled')[]
  boundThinking: boolean
}

const TOOLSET = 'computer_toolset_20260801'
const OLD = 'computer_20251124'
const OLDEST = 'computer_20250124'

const newest: KnownModel = { computers: [TOOLSET], image: 'high', thinking: ['adaptive'], boundThinking: true }
const both: KnownModel = {
  computers: [TOOLSET, OLD],
  image: 'high',
  thinking: ['adaptive', 'disabled'],
  boundThinking: false,
}
const older: KnownModel = {
  computers: [OLD],
  image: 'standard',
  thinking: ['adaptive', 'enabled', 'disabled'],
  boundThinking: false,
}
const oldest: KnownModel = {
  computers: [OLDEST],
  image: 'standard',
  thinking: ['enabled', 'disabled'],
  boundThinking: false,
}

export const knownModels: Record<string, KnownModel> = {
  'claude-fable-5-2': newest,
  'claude-mythos-5-2': newest,
  'claude-opus-5-5': newest,
  'claude-sonnet-5-5': newest,
  'claude-haiku-5-5': newest,
  'claude-fable-5-1': { ...both, thinking: ['adaptive'], boundThinking: true },
  'claude-mythos-5-1': { ...both, thinking: ['adaptive'], boundThinking: true },
  'claude-fable-5': both,
  'claude-mythos-5': both,
  'claude-opus-5': both,
  'claude-sonnet-5': both,
  'claude-opus-4-8': both,
  'claude-opus-4-7': { ...older, image: 'high', thinking: ['adaptive', 'disabled'] },
  'claude-mythos-preview': { ...older, image: 'high', thinking: ['adaptive'] },
  'claude-opus-4-6': older,
  'claude-sonnet-4-6': older,
  'claude-opus-4-5': { ...older, thinking: ['enabled', 'disabled'] },
  'claude-opus-4-5-20251101': { ...older, thinking: ['enabled', 'disabled'] },
  'claude-sonnet-4-5': oldest,
  'claude-sonnet-4-5-20250929': oldest,
  'claude-haiku-4-5': oldest,
  'claude-haiku-4-5-20251001': oldest,
}

export const betaFor: Record<string, string> = {
  [OLD]: 'computer-use-2025-11-24',
  [OLDEST]: 'computer-use-2025-01-24',
}

export const members = new Set(
  'key hold_key type cursor_position mouse_move left_mouse_down left_mouse_up left_click left_click_drag right_click middle_click double_click triple_click scroll wait screenshot zoom'.split(
    ' ',
  ),
)

/** As GET /v1/models answers. */
export function modelList() {
  const data = Object.keys(knownModels).map((id) => ({ type: 'model', id, display_name: id, created_at: '2026-01-01' }))
  return { data, has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null }
}
