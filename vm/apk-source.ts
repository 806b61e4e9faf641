import { readFile } from 'node:fs/promises'
import { GodHandError } from '../main/contract/errors.ts'

/** Where Alpine's packages come from and whose signature counts. */
export type AlpineSource = { mirror: string; keys: string }

const REPOSITORIES = '/etc/apk/repositories'
const KEYS = '/etc/apk/keys'

/** What the person says (GODHAND_ALPINE_MIRROR, GODHAND_ALPINE_KEYS), else what this system's own apk uses. */
export async function alpineSource(
  environment: NodeJS.ProcessEnv = process.env,
  repositories = REPOSITORIES,
): Promise<AlpineSource> {
  const said = environment.GODHAND_ALPINE_MIRROR
  const mirror = said || firstMirror(await readFile(repositories, 'utf8').catch(() => ''))
  if (!mirror)
    throw new GodHandError('missing_prerequisite', 'It is not known where to get Alpine’s packages from.', {
      hint: 'Set GODHAND_ALPINE_MIRROR to the address of a mirror and GODHAND_ALPINE_KEYS to a folder with Alpine’s public keys.',
    })
  return { mirror: mirror.replace(/\/+$/, ''), keys: environment.GODHAND_ALPINE_KEYS || KEYS }
}

/** Lines are "<mirror>/<branch>/<repository>", perhaps with a tag before. */
export function firstMirror(text: string): string | undefined {
  const lines = text.split('\n').map((line) => line.replace(/#.*$/, '').trim())
  return lines.map((line) => /(https?:\/\/\S+)\/[^/]+\/[^/]+$/.exec(line)?.[1]).find((mirror) => mirror !== undefined)
}
