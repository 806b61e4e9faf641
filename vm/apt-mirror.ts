import { GodHandError } from '../main/contract/errors.ts'

/** Where this system gets Debian packages from. */
export type Mirrors = {
  /** Base address of the main archive, without a slash at the end. */
  main: string
  /** Base address of the security archive, if the system knows one. */
  security: string | undefined
}

type Target = Map<string, string>

/** `apt-get indextargets` prints one paragraph of `Name: value` lines for each index that the system's sources name. */
export function parseIndexTargets(output: string): Target[] {
  return output
    .split(/\n\s*\n/)
    .map((paragraph) => {
      const target: Target = new Map()
      for (const line of paragraph.split('\n')) {
        const colon = line.indexOf(': ')
        if (colon > 0) target.set(line.slice(0, colon), line.slice(colon + 2).trim())
      }
      return target
    })
    .filter((target) => target.size > 0)
}

/**
 * The Debian mirrors among the system's own sources. Origin and Label are only known once the system has fetched its
 * lists (a fresh container has not), so the address's last part has to do where they are missing.
 */
export function chooseMirrors(indexTargets: string): Mirrors {
  const binaries = parseIndexTargets(indexTargets).filter(
    (target) => target.get('Created-By') === 'Packages' && target.get('Component') === 'main',
  )
  const addressOf = (label: string, lastPart: RegExp) => {
    const fits = (target: Target) => {
      const address = baseAddress(target)
      if (address === '' || address.startsWith('cdrom:')) return false
      if (target.has('Origin')) return target.get('Origin') === 'Debian' && target.get('Label') === label
      return lastPart.test(address)
    }
    const found = binaries.find(fits)
    return found === undefined ? undefined : baseAddress(found)
  }

  const main = addressOf('Debian', /\/debian(\.list)?$/)
  if (main === undefined)
    throw new GodHandError('missing_prerequisite', 'No Debian mirror was found in this system’s apt configuration.', {
      hint: 'Set GODHAND_DEBIAN_MIRROR to the base address of a Debian mirror.',
    })
  return { main, security: addressOf('Debian-Security', /\/debian-security(\.list)?$/) }
}

function baseAddress(target: Target): string {
  return (target.get('Repo-URI') ?? target.get('Site') ?? '').replace(/\/+$/, '')
}
