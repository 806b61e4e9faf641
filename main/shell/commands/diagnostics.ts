import path from 'node:path'
import { type LogLevel, RESET_WORDS } from '../../contract/diagnostics.ts'
import { GodHandError } from '../../contract/errors.ts'
import { withEngine } from '../command-context.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Output } from '../output.ts'

export async function logs(options: { level?: LogLevel; lines?: number }, output: Output): Promise<number> {
  const lines = await withEngine(output, { machines: false }, ({ client }) => client.call('engine.logs', options))
  const text = lines.map(({ at, level, message, more }) => {
    const rest = Object.keys(more).length > 0 ? ` ${JSON.stringify(more)}` : ''
    return `${at} ${level.padEnd(5)} ${message}${rest}`
  })
  output.answer(lines, text.join('\n'))
  return exitCodes.ok
}

export async function support(file: string | undefined, output: Output): Promise<number> {
  const day = new Date().toISOString().slice(0, 10)
  const to = path.resolve(file ?? `godhand-support-${day}.zip`)
  const made = await withEngine(output, { machines: false }, ({ client }) =>
    client.call('support.bundle', { file: to }),
  )
  output.answer(
    made,
    `${made.file}: checks, logs and how tasks ended, without secrets. Read it before you give it away.`,
  )
  return exitCodes.ok
}

export async function reset(options: { yes?: string }, output: Output): Promise<number> {
  if (options.yes !== RESET_WORDS)
    throw new GodHandError(
      'bad_request',
      'This erases every task, trace, snapshot, secret and key of this data folder.',
      {
        hint: `If that is what you want: npx godhand reset --yes "${RESET_WORDS}"`,
      },
    )
  await withEngine(output, { machines: false }, ({ client }) => client.call('engine.reset', { confirm: RESET_WORDS }))
  output.answer({ reset: true }, 'Everything is erased. GodHand is as it was on the first day.')
  return exitCodes.ok
}
