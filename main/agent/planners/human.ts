import type { Declaration } from '../../contract/declaration.ts'
import { GodHandError } from '../../contract/errors.ts'
import type { Observation, Planner, Turn } from '../planner.ts'

/**
 * The person does it themselves in the live view, where it is recorded step by step. All this planner decides is the end,
 * and that only when they say so.
 */
export class HumanPlanner implements Planner {
  readonly name = 'human'
  #decide: ((turn: Turn) => void) | null = null

  async next(_observation: Observation, signal: AbortSignal): Promise<Turn> {
    const { promise, resolve, reject } = Promise.withResolvers<Turn>()
    const onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    this.#decide = resolve
    try {
      return await promise
    } finally {
      this.#decide = null
      signal.removeEventListener('abort', onAbort)
    }
  }

  declare(declaration: Declaration): void {
    if (!this.#decide)
      throw new GodHandError('conflict', 'The task cannot be ended at this moment.', {
        hint: 'It is being prepared, or what you declared is still being checked.',
      })
    this.#decide(turnFor(declaration))
  }
}

function turnFor({ success, summary, checks, timeoutSeconds }: Declaration): Turn {
  const thought = success ? 'The person says that it is done.' : 'The person says that it could not be done.'
  if (!success) return { kind: 'give_up', thought, reason: summary }
  if (checks.length === 0) return { kind: 'declare', thought, summary }
  return { kind: 'finish', thought, summary, checks, timeoutMs: timeoutSeconds * 1000 }
}
