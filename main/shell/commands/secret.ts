import { text } from 'node:stream/consumers'
import { GodHandError } from '../../contract/errors.ts'
import { withEngine } from '../command-context.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Output } from '../output.ts'

export async function nameList(method: 'secret.list' | 'key.list', output: Output): Promise<number> {
  const answer = await withEngine(output, { machines: false }, ({ client }) => client.call(method, {}))
  if (answer.warning && answer.names.length > 0) output.note(answer.warning)
  output.answer(answer, answer.names.length === 0 ? 'None yet.' : answer.names.join('\n'))
  return exitCodes.ok
}

export async function secretSet(name: string, output: Output): Promise<number> {
  const value = await valueFromInput(output)
  const warning = await withEngine(output, { machines: false }, async ({ client }) => {
    await client.call('secret.set', { name, value })
    return (await client.call('secret.list', {})).warning
  })
  if (warning) output.note(warning)
  output.answer({ name }, `Tasks may use it as {{${name}}}.`)
  return exitCodes.ok
}

export async function secretRemove(name: string, output: Output): Promise<number> {
  await withEngine(output, { machines: false }, ({ client }) => client.call('secret.remove', { name }))
  output.answer({ name }, `${name} is forgotten.`)
  return exitCodes.ok
}

export async function keySet(name: 'anthropic' | 'openai', output: Output): Promise<number> {
  const value = await valueFromInput(output)
  const warning = await withEngine(output, { machines: false }, async ({ client }) => {
    await client.call('key.set', { name, value })
    return (await client.call('key.list', {})).warning
  })
  if (warning) output.note(warning)
  output.answer({ name }, `There is a key for ${name} now.`)
  return exitCodes.ok
}

export async function keyRemove(name: 'anthropic' | 'openai', output: Output): Promise<number> {
  await withEngine(output, { machines: false }, ({ client }) => client.call('key.remove', { name }))
  output.answer({ name }, `The key for ${name} is forgotten.`)
  return exitCodes.ok
}

/** Never an argument: those stay in the shell's history and are seen by every process of the host. */
async function valueFromInput(output: Output): Promise<string> {
  if (process.stdin.isTTY) output.note('Type or paste the value, then press Enter and Ctrl-D:')
  const value = (await text(process.stdin)).replace(/\r?\n$/, '')
  if (value === '')
    throw new GodHandError('bad_request', 'There was nothing on standard input.', {
      hint: 'For example: printf %s "$PASSWORD" | npx godhand secret set site_password',
    })
  return value
}
