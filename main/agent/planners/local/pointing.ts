import { GodHandError } from '../../../contract/errors.ts'
import type { Calibration } from '../../../contract/model.ts'
import type { Asking } from '../conversation/talking-planner.ts'
import { readAction } from './actions.ts'
import type { Reading } from './formats/format.ts'

export type Known = Pick<Calibration, 'mapping' | 'blind' | 'screen'>
type Size = Calibration['screen']

export type PointingOptions = {
  model: string
  baseUrl: string
  /** What was found for this model on this server, screen by screen. `blind`: it must not point at anything. */
  calibrations?: Known[]
  /** Finds it out now, and keeps it. Left out: the model is taken at its word, and that is said. */
  calibrate?: (
    screen: Size,
    asking: Pick<Asking, 'signal' | 'onTokens'>,
  ) => Promise<Known & Pick<Calibration, 'verdict'>>
}

/** A model that takes longer than this for a few questions is too slow to be asked them unbidden. */
const LONGEST_MS = 5 * 60_000

/** How well a model on a server points. Found out before its first click, so that none is made on trust. */
export class Pointing {
  readonly #options: PointingOptions
  readonly #known: Known[]
  #warned = false

  constructor(options: PointingOptions) {
    this.#options = options
    this.#known = [...(options.calibrations ?? [])]
  }

  on(screen: Size | null): Known | undefined {
    return this.#known.find((one) => one.screen.width === screen?.width && one.screen.height === screen.height)
  }

  async learn(screen: Size, { signal, onTokens, onNotice }: Asking): Promise<void> {
    if (this.on(screen) || this.#warned) return
    const { model, baseUrl, calibrate } = this.#options
    const who = `${model} on ${baseUrl}`
    const warn = (why: string) => {
      this.#warned = true
      onNotice(
        `${who} is not calibrated${why}: its clicks may miss. Calibrate it in the settings, or with: npx godhand model calibrate ${model} --server ${baseUrl}`,
      )
    }
    if (!calibrate) return warn('')
    onNotice(`${who} is not calibrated yet. Before its first click it is asked to point at a few known places.`)
    try {
      const bounded = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)])
      const found = await calibrate({ width: screen.width, height: screen.height }, { signal: bounded, onTokens })
      this.#known.push(found)
      onNotice(`${found.verdict} This is kept for its next tasks.`)
    } catch (thrown) {
      signal.throwIfAborted()
      warn(` (${GodHandError.from(thrown).message})`)
    }
  }
}

/** Whether anything in it depends on where the model says something is. */
export function namesPlaces({ actions }: Reading): boolean {
  let named = false
  const place = (point: { x: number; y: number }) => {
    named = true
    return point
  }
  for (const action of actions) readAction(action, { place, blind: null, pointer: { at: null } })
  return named
}
