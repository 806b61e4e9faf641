import { GodHandError } from '../main/contract/errors.ts'
import { printError } from '../main/shell/print-error.ts'

/** Runs a script's work to an exit code; what goes wrong is told to the person, not thrown at them. */
export async function exitWith(work: () => Promise<number>): Promise<never> {
  try {
    process.exit(await work())
  } catch (thrown) {
    const error = GodHandError.from(thrown)
    printError(error)
    if (error.code === 'internal') console.error(thrown)
    process.exit(error.code === 'cancelled' ? 130 : 1)
  }
}
