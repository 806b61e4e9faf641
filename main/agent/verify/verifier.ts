import type { Assertion, Verdict } from '../../contract/assertion.ts'
import { GodHandError } from '../../contract/errors.ts'
import type { RawFrame, Sandbox } from '../../sandbox/sandbox.ts'
import { decodePng } from '../../screen/frames.ts'
import type { NoiseMap } from '../../screen/noise.ts'
import type { FrameStore } from '../../trace/frame-store.ts'
import { checkAssertion } from './check.ts'
import type { VerifyContext } from './probe.ts'

/** Checks statements about one machine for one task. */
export interface Verifier {
  check(assertion: Assertion, about: { before: RawFrame; noise: NoiseMap; timeoutMs: number }): Promise<Verdict>
}

type VerifierParts = {
  sandbox: () => Sandbox // the task's machine, which may be another one after a rollback
  frames: FrameStore
  readText: VerifyContext['readText']
  signal: AbortSignal
}

export function openVerifier({ sandbox, frames, readText, signal }: VerifierParts): Verifier {
  const frame = async (hash: string) => {
    const png = await frames.get(hash)
    return png && decodePng(png)
  }
  return {
    async check(assertion, { before, noise, timeoutMs }) {
      const machine = sandbox()
      const verdict = await checkAssertion({ sandbox: machine, frame, readText, before, noise }, assertion, {
        timeoutMs,
        signal,
      })
      // A machine that is gone answers nothing: that ends the task, it is not the statement's fault.
      if (machine.state.kind === 'dead') throw new GodHandError('machine_died', 'The machine has ended.')
      return verdict
    },
  }
}
