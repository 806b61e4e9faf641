import { CommanderError } from 'commander'
import { exitCodeOfError, exitCodes } from './exit-codes.ts'
import { outputFor } from './output.ts'
import { buildProgram } from './program.ts'

/** Runs one command line and tells the exit code. */
export async function runCli(args: string[]): Promise<number> {
  const beforeGuestCommand = args.includes('--') ? args.slice(0, args.indexOf('--')) : args
  const output = outputFor(beforeGuestCommand.includes('--json'))
  let exitCode: number = exitCodes.ok
  const program = buildProgram(async (work) => {
    exitCode = await work(output)
  })
  for (const command of [program, ...program.commands, ...program.commands.flatMap((group) => group.commands)])
    command.exitOverride().configureOutput(output.json ? { writeErr: () => {} } : {})
  try {
    await program.parseAsync(args, { from: 'user' })
    return exitCode
  } catch (thrown) {
    const { GodHandError } = await import('../contract/errors.ts')
    if (thrown instanceof CommanderError) {
      if (thrown.exitCode === 0) return exitCodes.ok // help was asked for, and given
      if (output.json) output.error(new GodHandError('bad_request', thrown.message.replace(/^error: /, '')))
      return exitCodes.usage
    }
    const error = GodHandError.from(thrown)
    output.error(error)
    if (error.code === 'internal' && process.env.GODHAND_LOG === 'debug') console.error(thrown)
    return exitCodeOfError(error.code)
  }
}

/** For the launcher: runs and ends the process. */
export async function main(args: string[]): Promise<void> {
  process.exitCode = await runCli(args)
  // A pipe that is read slowly must get everything: leave only once it has been written.
  process.stdout.write('', () => process.exit())
}

if (import.meta.main) await main(process.argv.slice(2))
