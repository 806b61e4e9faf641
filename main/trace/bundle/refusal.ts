import type { BundleProblem } from '../../contract/trace.ts'

/** Why a file is not read any further. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly problem: BundleProblem

  constructor(kind: BundleProblem['kind'], where: string, message: string, cause?: unknown) {
    super(message, { cause })
    this.problem = { kind, where, message }
  }
}
