import type { GodHandError } from '../contract/errors.ts'

/** What happened, then what to do about it. */
export function printError(error: GodHandError): void {
  const hint = error.hint?.split('\n').map((line) => `  ${line}\n`) ?? []
  process.stderr.write(`godhand: ${error.message}\n${hint.join('')}`)
}
