import { GodHandError } from '../main/contract/errors.ts'
import { type Dependency, fits, parseDependency, written } from './apk-dependency.ts'
import type { ApkPackage } from './apk-index.ts'
import { compareVersions } from './apk-version.ts'

type Wish = { dependency: Dependency; by: string | null }

/** A search that takes this many steps has lost its way. */
const STEP_LIMIT = 200_000

/**
 * These packages and all they need, dependencies first. One package of a name; what the package says it conflicts with
 * is not there; a name that several share without a version is only taken when one of them is wanted anyway or
 * stands out by its priority. Packages that would come along by themselves (install_if) are left out.
 */
export function resolveApk(wanted: string[], available: ApkPackage[]): ApkPackage[] {
  return new Resolution(available).solve(wanted)
}

class Resolution {
  readonly #providers = new Map<string, ApkPackage[]>()
  readonly #parsed = new Map<ApkPackage, Dependency[]>()
  #unwanted: Dependency[] = []
  #steps = 0
  /** The wish that could not be fulfilled when the search had come furthest: most likely what to tell. */
  #stuck: { depth: number; wish: Wish; why: string } | null = null

  constructor(available: ApkPackage[]) {
    for (const each of available)
      for (const name of new Set(each.provides.map((provision) => provision.name))) {
        const providers = this.#providers.get(name)
        if (providers) providers.push(each)
        else this.#providers.set(name, [each])
      }
  }

  solve(wanted: string[]): ApkPackage[] {
    const wishes = wanted.map((text): Wish => ({ dependency: parseDependency(text), by: null }))
    this.#unwanted = wishes.flatMap(({ dependency }) => (dependency.conflict ? [dependency] : []))
    const chosen = this.#search(wishes, [], [])
    if (chosen) return this.#inOrder(wishes, chosen)
    const { wish, why } = this.#stuck ?? { wish: wishes[0], why: 'nothing fits together' }
    const name = wish ? written(wish.dependency) : ''
    throw new GodHandError('image_build_failed', `${wish?.by ? `${wish.by} needs ${name}` : name}: ${why}.`)
  }

  /**
   * `later` holds wishes for shared names, looked at when everything that leaves no choice is chosen. Goes deeper only
   * where a package is chosen, so the stack is no deeper than the answer is long.
   */
  #search(open: Wish[], later: Wish[], chosen: ApkPackage[]): ApkPackage[] | null {
    if (++this.#steps > STEP_LIMIT) return null
    const wishes = [...open]
    const shared = [...later]
    for (;;) {
      const settled = wishes.length === 0
      const wish = wishes.shift() ?? shared.shift()
      if (!wish) return chosen
      const { dependency } = wish
      if (dependency.conflict) continue // whoever is chosen is asked about it then
      if (chosen.some((each) => provides(each, dependency))) continue
      const candidates = this.#candidates(dependency)
      if (candidates.length === 0) return this.#fail(wish, chosen, 'no package provides it')
      if (this.#isOpen(dependency, candidates)) {
        if (settled) return this.#fail(wish, chosen, `name one of ${candidates.map(({ name }) => name).join(', ')}`)
        shared.push(wish)
        continue
      }
      for (const candidate of candidates) {
        const why = this.#objection(candidate, chosen)
        if (why) {
          this.#fail(wish, chosen, why)
          continue
        }
        const more = this.#dependencies(candidate).map((each): Wish => ({ dependency: each, by: candidate.name }))
        const found = this.#search([...wishes, ...more], shared, [...chosen, candidate])
        if (found) return found
      }
      return null
    }
  }

  /** The package of that very name first, then by priority, then the newest; repositories in their order. */
  #candidates(dependency: Dependency): ApkPackage[] {
    const own = (each: ApkPackage) => Number(each.name === dependency.name)
    return (this.#providers.get(dependency.name) ?? [])
      .filter((each) => provides(each, dependency))
      .toSorted(
        (a, b) =>
          own(b) - own(a) ||
          b.priority - a.priority ||
          (a.name === b.name ? compareVersions(b.version, a.version) : 0) ||
          a.repository - b.repository ||
          (a.name < b.name ? -1 : Number(a.name > b.name)),
      )
  }

  /** Several packages share the name, none of them owns it, none stands out. */
  #isOpen(dependency: Dependency, candidates: ApkPackage[]): boolean {
    const [best] = candidates
    if (!best || best.name === dependency.name || best.priority > 0) return false
    const shared = best.provides.some(({ name, version }) => name === dependency.name && version === null)
    return shared && candidates.some(({ name }) => name !== best.name)
  }

  #objection(candidate: ApkPackage, chosen: ApkPackage[]): string | null {
    if (this.#unwanted.some((each) => provides(candidate, each))) return `${candidate.name} is not wanted`
    for (const other of chosen) {
      if (other.name === candidate.name) return `${other.name} ${other.version} is needed too`
      const enemies = [
        ...this.#dependencies(other).filter((each) => each.conflict && provides(candidate, each)),
        ...this.#dependencies(candidate).filter((each) => each.conflict && provides(other, each)),
        ...candidate.provides.filter(
          ({ name, version }) =>
            version !== null && other.provides.some((theirs) => theirs.name === name && theirs.version !== null),
        ),
      ]
      if (enemies.length > 0) return `${candidate.name} and ${other.name} exclude each other`
    }
    return null
  }

  #dependencies(each: ApkPackage): Dependency[] {
    const known = this.#parsed.get(each) ?? each.dependencies.map(parseDependency)
    this.#parsed.set(each, known)
    return known
  }

  #fail(wish: Wish, chosen: ApkPackage[], why: string): null {
    if (!this.#stuck || chosen.length >= this.#stuck.depth) this.#stuck = { depth: chosen.length, wish, why }
    return null
  }

  /** Dependencies before what needs them; a circle is entered where it is met first. */
  #inOrder(wishes: Wish[], chosen: ApkPackage[]): ApkPackage[] {
    const done = new Set<ApkPackage>()
    const ordered: ApkPackage[] = []
    const visit = (dependency: Dependency) => {
      const each = dependency.conflict ? undefined : chosen.find((one) => provides(one, dependency))
      if (!each || done.has(each)) return
      done.add(each)
      for (const next of this.#dependencies(each)) visit(next)
      ordered.push(each)
    }
    for (const { dependency } of wishes) visit(dependency)
    return ordered
  }
}

function provides(each: ApkPackage, dependency: Dependency): boolean {
  return each.provides.some((provision) => fits(provision, dependency))
}
