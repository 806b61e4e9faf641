import { GodHandError } from '../contract/errors.ts'

/** The port a person asked for, by option or GODHAND_PORT; undefined when any will do. */
export function portFrom(option: string | undefined): number | undefined {
  const asked = option ?? process.env.GODHAND_PORT
  if (asked === undefined || asked === '') return undefined
  const port = Number(asked)
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new GodHandError('bad_request', `“${asked}” is not a port.`, { hint: 'Give a number from 1 to 65535.' })
  return port
}
