import { GodHandError } from '../../contract/errors.ts'
import type { SecretStore } from '../secret-store.ts'

const variables = { anthropic: 'ANTHROPIC_API_KEY', openai: 'OPENAI_API_KEY' } as const
const addresses = { anthropic: 'ANTHROPIC_BASE_URL', openai: 'OPENAI_BASE_URL' } as const

export type Access = { apiKey: string; baseUrl?: string }

/** How a service is reached: the key the person gave, else that of the environment. */
export async function accessTo(service: 'anthropic' | 'openai', keys: SecretStore): Promise<Access> {
  const variable = variables[service]
  const apiKey = (await keys.get('api_key', service)) ?? process.env[variable]
  const baseUrl = process.env[addresses[service]]
  if (apiKey) return { apiKey, ...(baseUrl ? { baseUrl } : {}) }
  throw new GodHandError('missing_prerequisite', `There is no key for ${service} yet.`, {
    hint: `Give it: npx godhand key set ${service}. Or set ${variable} before starting GodHand, use a local model, or play the demo: it needs no key and no network.`,
  })
}
