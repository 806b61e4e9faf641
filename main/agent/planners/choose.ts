import { GodHandError } from '../../contract/errors.ts'
import type { RunTask } from '../../contract/task.ts'
import type { FrameStore } from '../../trace/frame-store.ts'
import type { StoreReader } from '../../trace/store.ts'
import type { Planner } from '../planner.ts'
import type { SecretStore } from '../secret-store.ts'
import { demo } from './demo.ts'
import { replayFor } from './replay.ts'
import { ScriptPlanner } from './script.ts'

export type PlannerParts = {
  keys: SecretStore
  secretNames: string[]
  store: StoreReader
  frames: FrameStore
  /** What the planner's `save` gave in an earlier process. */
  saved?: unknown
}

/**
 * The planner a request asks for. What it lacks is said here, before a machine is started. The clients of the model
 * services are loaded when they are first needed: whoever works offline never pays for them.
 */
export async function plannerFor({ planner }: RunTask, parts: PlannerParts): Promise<Planner> {
  const { store, frames } = parts
  const common = {
    secrets: parts.secretNames,
    loadFrame: (hash: string) => frames.get(hash),
    ...(parts.saved === undefined ? {} : { saved: parts.saved }),
  }
  switch (planner.kind) {
    case 'demo':
      return new ScriptPlanner(demo, 'demo')
    case 'script':
      return new ScriptPlanner(planner.script)
    case 'replay':
      return replayFor(planner, { store, frames })
    case 'anthropic': {
      const apiKey = await keyOf(parts.keys, 'anthropic', 'ANTHROPIC_API_KEY')
      const { AnthropicPlanner } = await import('./anthropic/planner.ts')
      const baseUrl = process.env.ANTHROPIC_BASE_URL
      return new AnthropicPlanner({ ...common, apiKey, ...modelOf(planner), ...(baseUrl ? { baseUrl } : {}) })
    }
    case 'openai': {
      const apiKey = await keyOf(parts.keys, 'openai', 'OPENAI_API_KEY')
      const { OpenAiPlanner } = await import('./openai/planner.ts')
      const baseUrl = process.env.OPENAI_BASE_URL
      return new OpenAiPlanner({ ...common, apiKey, ...modelOf(planner), ...(baseUrl ? { baseUrl } : {}) })
    }
    case 'local': {
      const { LocalPlanner } = await import('./local/planner.ts')
      return new LocalPlanner({ ...common, baseUrl: planner.baseUrl, model: planner.model })
    }
  }
}

const modelOf = ({ model }: { model?: string | undefined }) => (model === undefined ? {} : { model })

async function keyOf(keys: SecretStore, service: string, variable: string): Promise<string> {
  const key = (await keys.get('api_key', service)) ?? process.env[variable]
  if (key) return key
  throw new GodHandError('missing_prerequisite', `There is no key for ${service} yet.`, {
    hint: `Give it: npx godhand key set ${service}. Or set ${variable} before starting GodHand, use a local model, or play the demo: it needs no key and no network.`,
  })
}
