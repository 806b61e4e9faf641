import path from 'node:path'
import { SCHEME } from './deep-link.ts'

export type Wish = { kind: 'link'; link: string } | { kind: 'trace'; file: string }

/** What the system handed over with the program's name: a link that was followed, or a trace that was opened. */
export function wishIn(argv: readonly string[], folder: string): Wish | null {
  for (const argument of argv.slice(1)) {
    if (argument.toLowerCase().startsWith(`${SCHEME}:`)) return { kind: 'link', link: argument }
    if (/\.ghtrace$/i.test(argument) && !argument.startsWith('-'))
      return { kind: 'trace', file: path.resolve(folder, argument) }
  }
  return null
}
