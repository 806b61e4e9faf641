import { CalibrationStore } from '../agent/calibration/store.ts'
import { modelsOf, testModel } from '../agent/planners/model-services.ts'
import type { SecretStore } from '../agent/secret-store.ts'
import { GodHandError } from '../contract/errors.ts'
import type {
  Calibration,
  FoundServer,
  ListedModel,
  LocalModel,
  ModelChoice,
  ModelService,
  ModelTest,
} from '../contract/model.ts'
import type { Progress } from '../contract/progress.ts'
import type { Events } from './events.ts'

type DeskOptions = { keys: SecretStore; calibrations: string; events: Events; signal: AbortSignal }

/** What our own images show. A calibration holds for one size. */
const SCREEN = { width: 1280, height: 800 }

/** Where a person finds out which models there are, whether one answers, and how well it points. */
export class ModelDesk {
  readonly calibrations: CalibrationStore
  readonly #options: DeskOptions
  #calibrating: string | null = null

  constructor(options: DeskOptions) {
    this.#options = options
    this.calibrations = new CalibrationStore(options.calibrations)
  }

  async servers(): Promise<FoundServer[]> {
    const { findServers } = await import('../agent/planners/local/discovery.ts')
    return findServers()
  }

  list(service: ModelService): Promise<ListedModel[]> {
    return modelsOf(service, this.#options.keys)
  }

  test(choice: ModelChoice): Promise<ModelTest> {
    return testModel(choice, this.#options.keys)
  }

  /** One at a time: a model that is asked two things at once is slower at both. */
  async calibrate({ baseUrl, model, format: named }: LocalModel): Promise<Calibration> {
    if (this.#calibrating !== null)
      throw new GodHandError('conflict', `${this.#calibrating} is being calibrated already.`, {
        hint: 'Wait until that is done.',
      })
    const { formatNamed } = await import('../agent/planners/local/presets.ts')
    const { calibrate } = await import('../agent/calibration/calibrate.ts')
    const format = formatNamed(named, model)
    this.#calibrating = model
    try {
      const { events, signal } = this.#options
      const onProgress = (progress: Progress) => events.emit({ type: 'calibration', server: baseUrl, model, progress })
      const found = await calibrate({ baseUrl, model, format, screen: SCREEN, signal, onProgress })
      await this.calibrations.put(found)
      return found
    } finally {
      this.#calibrating = null
    }
  }
}
