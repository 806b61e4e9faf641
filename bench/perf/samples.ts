import type { MetricId } from './metrics.ts'

export type Summary = { count: number; median: number; p95: number; min: number; max: number }

/** Everything measured in a run, by metric, in the order it came. */
export class Samples {
  readonly #values = new Map<MetricId, number[]>()

  add(metric: MetricId, value: number): void {
    const values = this.#values.get(metric)
    if (values) values.push(value)
    else this.#values.set(metric, [value])
  }

  async time<T>(metric: MetricId, work: () => Promise<T>): Promise<T> {
    const began = performance.now()
    const result = await work()
    this.add(metric, performance.now() - began)
    return result
  }

  of(metric: MetricId): number[] {
    return this.#values.get(metric) ?? []
  }
}

/** Nearest rank: with few samples the 95th percentile is the worst of them, which is what it should say. */
export function summarize(values: number[]): Summary | null {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]
  const [min, max, p95, low, high] = [
    sorted[0],
    sorted.at(-1),
    at(0.95),
    at(0.5),
    sorted[Math.floor(sorted.length / 2)],
  ]
  if (min === undefined || max === undefined || p95 === undefined || low === undefined || high === undefined)
    return null
  return { count: sorted.length, median: (low + high) / 2, p95, min, max }
}
