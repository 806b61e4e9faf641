import PQueue from 'p-queue'
import type { CalibrateOptions } from '../agent/calibration/calibrate.ts'
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

type HowToAsk = { signal: AbortSignal } & Pick<CalibrateOptions, 'onTokens'>

/** What our own images show. A calibration holds for one size. */
const SCREEN = { width: 1280, height: 800 }

/** Where a person finds out which models there are, whether one answers, and how well it points. */
export class ModelDesk {
  readonly calibrations: CalibrationStore
  readonly #options: DeskOptions
  readonly #turn = new PQueue({ concurrency: 1 })
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
  async calibrate(choice: LocalModel): Promise<Calibration> {
    if (this.#calibrating !== null)
      throw new GodHandError('conflict', `${this.#calibrating} is being calibrated already.`, {
        hint: 'Wait until that is done.',
      })
    return this.#turn.add(() => this.#find(choice, SCREEN, { signal: this.#options.signal }))
  }

  /** For a task whose model is about to point: what is known by now, or is found out in its turn. */
  pointing(choice: LocalModel, screen: Calibration['screen'], how: HowToAsk): Promise<Calibration> {
    return this.#turn.add(
      async () => {
        const { baseUrl: server, model } = choice
        const format = await formatOf(choice)
        const known = await this.calibrations.get({ server, model, format: format.id, screen })
        return known ?? this.#find(choice, screen, how)
      },
      { signal: how.signal },
    )
  }

  async #find(choice: LocalModel, screen: Calibration['screen'], how: HowToAsk): Promise<Calibration> {
    const { baseUrl, model } = choice
    this.#calibrating = model
    try {
      const { calibrate } = await import('../agent/calibration/calibrate.ts')
      const format = await formatOf(choice)
      const onProgress = (progress: Progress) =>
        this.#options.events.emit({ type: 'calibration', server: baseUrl, model, progress })
      const found = await calibrate({ baseUrl, model, format, screen, onProgress, ...how })
      await this.calibrations.put(found)
      return found
    } finally {
      this.#calibrating = null
    }
  }
}

async function formatOf({ format, model }: LocalModel) {
  const { formatNamed } = await import('../agent/planners/local/presets.ts')
  return formatNamed(format, model)
}
