import type { Act } from '../../contract/action.ts'

const REPEATS = 3
const LONGEST_CIRCLE = 4
const UNCHANGED_STEPS = 6
/** Clicks this near to each other are the same attempt. */
const NEAR = 12

/** Notices when a planner does the same again and again and nothing comes of it. */
export class Circles {
  #steps: { acts: Act[]; screen: string; acted: boolean }[] = []
  #told = 0

  /** Told so often without effect that going on is pointless. */
  get hopeless(): boolean {
    return this.#told >= 3
  }

  /** What to tell the planner after this step, or null. `screen` is the hash of what it left. */
  note(acts: Act[], screen: string): string | null {
    this.#steps.push({ acts, screen, acted: acts.length > 0 })
    this.#steps = this.#steps.slice(-LONGEST_CIRCLE * REPEATS)
    const circle = this.#circle()
    const still = this.#steps.slice(-UNCHANGED_STEPS)
    const unchanged =
      still.length === UNCHANGED_STEPS && still.every((step) => step.acted && step.screen === still[0]?.screen)
    if (circle === null && !unchanged) return null
    this.#steps = [] // said once, not at every step from now on
    this.#told++
    if (circle === null)
      return `The screen has not changed in the last ${UNCHANGED_STEPS} steps. What you do has no visible effect: look closely at what is in front, and try another way.`
    const what = circle === 1 ? 'the same step' : `the same ${circle} steps`
    return `You have done ${what} ${REPEATS} times now, each time with the same result. It will not come out differently: try another way, ask the person, or give up.`
  }

  #circle(): number | null {
    for (let length = 1; length <= LONGEST_CIRCLE; length++) {
      const recent = this.#steps.slice(-length * REPEATS)
      const first = recent.slice(0, length)
      const whole = recent.length === length * REPEATS && first.some(({ acted }) => acted)
      const same = (step: (typeof recent)[number], index: number) => {
        const model = first[index % length]
        return model !== undefined && step.screen === model.screen && alike(step.acts, model.acts)
      }
      if (whole && recent.every(same)) return length
    }
    return null
  }
}

/** Equal in everything but a few pixels. */
function alike(a: unknown, b: unknown, key = ''): boolean {
  if (typeof a === 'number' && typeof b === 'number')
    return key === 'x' || key === 'y' ? Math.abs(a - b) <= NEAR : a === b
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  const [left, right] = [new Map(Object.entries(a)), new Map(Object.entries(b))]
  return left.size === right.size && [...left].every(([name, value]) => alike(value, right.get(name), name))
}
