import type { Point } from '../../contract/action.ts'
import type { Axis, Mapping } from '../../contract/model.ts'
import { mappingOf, type Space } from '../planners/local/grounding.ts'

/** What a model answered, and where the thing really was. */
export type Sample = { said: Point; truth: Point }
type Size = { width: number; height: number }

export type Fit = {
  mapping: Mapping
  space: Space | 'other' // whether it is one of the usual ones
  medianPx: number
  worstPx: number // of the answers that were not thrown out
  thrownOut: number // answers that fit nothing: the model pointed at something else
}

/** Fits share = number × scale + offset for each axis, so that single wrong answers do not bend the line. */
export function fit(samples: Sample[], screen: Size, picture: Size): Fit {
  const own: Mapping = {
    x: fitAxis(samples.map(({ said, truth }) => [said.x, (truth.x + 0.5) / screen.width])),
    y: fitAxis(samples.map(({ said, truth }) => [said.y, (truth.y + 0.5) / screen.height])),
  }
  const fitted = judge(own, samples, screen)
  const usual = (['pixels', 'thousand', 'unit'] as const).map((space) => {
    const mapping = mappingOf(space, picture)
    return { mapping, space, ...judge(mapping, samples, screen) }
  })
  // The textbook mapping is preferred where it explains the answers as well: it has no noise of its own.
  const textbook = usual
    .filter(({ medianPx, thrownOut }) => medianPx <= fitted.medianPx + 2 && thrownOut <= fitted.thrownOut)
    .sort((a, b) => a.medianPx - b.medianPx)[0]
  return textbook ?? { mapping: own, space: 'other', ...fitted }
}

function judge(mapping: Mapping, samples: Sample[], screen: Size): Pick<Fit, 'medianPx' | 'worstPx' | 'thrownOut'> {
  const errors = samples.map(({ said, truth }) =>
    Math.hypot(
      (said.x * mapping.x.scale + mapping.x.offset) * screen.width - truth.x - 0.5,
      (said.y * mapping.y.scale + mapping.y.offset) * screen.height - truth.y - 0.5,
    ),
  )
  const medianPx = median(errors)
  const inliers = errors.filter((error) => error <= Math.max(4 * medianPx, 10))
  return { medianPx, worstPx: Math.max(0, ...inliers), thrownOut: errors.length - inliers.length }
}

/** Theil–Sen for a start that a third of wrong answers cannot move, then least squares over those that agree with it. */
function fitAxis(pairs: [said: number, share: number][]): Axis {
  const slopes = pairs.flatMap(([a, shareA], index) =>
    pairs.slice(index + 1).flatMap(([b, shareB]) => (Math.abs(b - a) < 1e-9 ? [] : [(shareB - shareA) / (b - a)])),
  )
  if (slopes.length === 0) return { scale: 0, offset: 0.5 }
  const scale = median(slopes)
  const offset = median(pairs.map(([said, share]) => share - said * scale))
  const residual = ([said, share]: [number, number]) => Math.abs(said * scale + offset - share)
  const bound = Math.max(3 * 1.4826 * median(pairs.map(residual)), 0.005)
  return leastSquares(pairs.filter((pair) => residual(pair) <= bound)) ?? { scale, offset }
}

function leastSquares(pairs: [number, number][]): Axis | null {
  if (pairs.length < 3) return null
  const mean = (index: 0 | 1) => pairs.reduce((sum, pair) => sum + pair[index], 0) / pairs.length
  const [meanSaid, meanShare] = [mean(0), mean(1)]
  const spread = pairs.reduce((sum, [said]) => sum + (said - meanSaid) ** 2, 0)
  if (spread < 1e-9) return null
  const scale = pairs.reduce((sum, [said, share]) => sum + (said - meanSaid) * (share - meanShare), 0) / spread
  return { scale, offset: meanShare - scale * meanSaid }
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.POSITIVE_INFINITY
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2
}
