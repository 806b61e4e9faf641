import { z } from 'zod'
import { GodHandError } from '../../../contract/errors.ts'
import type { FoundServer } from '../../../contract/model.ts'
import { apiRoot } from './api-root.ts'

/** Where the usual local servers listen when nobody told them otherwise. */
const usualPorts: Record<string, number> = { Ollama: 11434, 'llama.cpp': 8080, 'LM Studio': 1234, vLLM: 8000 }

const ModelList = z.object({ data: z.array(z.object({ id: z.string() })).nullable() })

/** The models a server offers. */
export async function listModels(
  baseUrl: string,
  options: { apiKey?: string; timeoutMs?: number } = {},
): Promise<string[]> {
  const headers: Record<string, string> = options.apiKey ? { authorization: `Bearer ${options.apiKey}` } : {}
  let response: Response
  try {
    response = await fetch(`${apiRoot(baseUrl)}/models`, {
      headers,
      signal: AbortSignal.timeout(options.timeoutMs ?? 5000),
    })
  } catch (cause) {
    throw new GodHandError('engine_unreachable', `No model server answers at ${baseUrl}.`, {
      hint: 'Start the server (Ollama, llama.cpp, LM Studio, vLLM …) and check its address.',
      cause,
    })
  }
  if (!response.ok)
    throw new GodHandError('bad_request', `The model server at ${baseUrl} answered with ${response.status}.`, {
      hint: response.status === 401 ? 'It asks for an API key.' : 'Is it a server with an OpenAI-compatible API?',
    })
  const parsed = ModelList.safeParse(await response.json().catch(() => null))
  if (!parsed.success)
    throw new GodHandError('bad_request', `What answers at ${baseUrl} is not a model server.`, { cause: parsed.error })
  return (parsed.data.data ?? []).map(({ id }) => id).sort()
}

/** Looks at the usual ports of this computer. What does not answer at once is not there. */
export async function findServers(
  ports: Record<string, number> = usualPorts,
  timeoutMs = 1000,
): Promise<FoundServer[]> {
  const looked = Object.entries(ports).map(async ([name, port]) => {
    const url = `http://127.0.0.1:${port}`
    const models = await listModels(url, { timeoutMs }).catch(() => null)
    return models ? [{ name, url, models }] : []
  })
  return (await Promise.all(looked)).flat()
}
