import type { Figure } from '../../main/contract/benchmark.ts'
import { bytes } from '../time/format.ts'

/** A measured value as a person reads it: three digits are enough. */
export function amount(value: number, unit: Figure['unit']): string {
  switch (unit) {
    case 'bytes':
      return bytes(value)
    case 'percent':
      return `${value.toFixed(value < 10 && value > 0 ? 1 : 0)} %`
    case 'count':
      return value.toLocaleString('en', { maximumFractionDigits: 1 })
    case 'ms':
      if (value >= 10_000) return `${(value / 1000).toFixed(1)} s`
      if (value >= 1000) return `${(value / 1000).toFixed(2)} s`
      return `${value.toFixed(value < 10 ? 1 : 0)} ms`
  }
}
