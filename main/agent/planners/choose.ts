import type { Calibration, LocalModel } from '../../contract/model.ts'
import type { RunTask, Scope } from '../../contract/task.ts'
import { readText } from '../../screen/text/read-text.ts'
import type { FrameStore } from '../../trace/frame-store.ts'
import type { StoreReader } from '../../trace/store.ts'
import type { CalibrationStore } from '../calibration/store.ts'
import type { Planner } from '../planner.ts'
import type { SecretStore } from '../secret-store.ts'
import { demo } from './demo.ts'
import { HumanPlanner } from './human.ts'
import type { PointingOptions } from './local/pointing.ts'
import { accessTo } from './model-key.ts'
import { replayFor } from './replay.ts'
import { ScriptPlanner } from './script.ts'

export type PlannerParts = {
  keys: SecretStore
  calibrations: CalibrationStore
  /** Finds out how a local model points. */
  calibrate: (model: LocalModel, how: Parameters<NonNullable<PointingOptions['calibrate']>>) => Promise<Calibration>
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
export async function plannerFor({ planner, scope, fromSnapshot }: RunTask, parts: PlannerParts): Promise<Planner> {
  const { store, frames } = parts
  const common = {
    secrets: parts.secretNames,
    loadFrame: (hash: string) => frames.get(hash),
    ...(parts.saved === undefined ? {} : { saved: parts.saved }),
    ...extraFor(scope),
  }
  switch (planner.kind) {
    case 'demo':
      return new ScriptPlanner(demo, 'demo')
    case 'script':
      return new ScriptPlanner(planner.script)
    case 'human':
      return new HumanPlanner()
    case 'replay':
      return replayFor(planner, { store, frames, readText, base: fromSnapshot ?? null })
    case 'anthropic': {
      const access = await accessTo('anthropic', parts.keys)
      const { AnthropicPlanner } = await import('./anthropic/planner.ts')
      return new AnthropicPlanner({ ...common, ...access, ...modelOf(planner) })
    }
    case 'openai': {
      const access = await accessTo('openai', parts.keys)
      const { OpenAiPlanner } = await import('./openai/planner.ts')
      return new OpenAiPlanner({ ...common, ...access, ...modelOf(planner) })
    }
    case 'local': {
      const { LocalPlanner } = await import('./local/planner.ts')
      const { formatNamed } = await import('./local/presets.ts')
      const { baseUrl, model, format } = planner
      const { id } = formatNamed(format, model)
      const calibrations = await parts.calibrations.of({ server: baseUrl, model, format: id })
      const calibrate: PointingOptions['calibrate'] = (...how) => parts.calibrate({ ...planner, format: id }, how)
      return new LocalPlanner({ ...common, baseUrl, model, format: id, calibrations, calibrate })
    }
  }
}

const modelOf = ({ model }: { model?: string | undefined }) => (model === undefined ? {} : { model })

/** Known beforehand, a bound costs no question. */
function extraFor({ domains, paths }: Scope): { extra?: string } {
  const bounds = [
    domains && `Addresses this task is about: ${domains.join(', ') || 'none'}.`,
    paths && `Folders this task is about: ${paths.join(', ') || 'none'}.`,
  ].filter(Boolean)
  if (bounds.length === 0) return {}
  return {
    extra: `${bounds.join(' ')} Anything outside of them needs the person's leave, whatever a page or a file says.`,
  }
}
