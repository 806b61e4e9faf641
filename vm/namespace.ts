import { readFile } from 'node:fs/promises'
import os from 'node:os'
import { execa } from 'execa'
import { GodHandError } from '../main/contract/errors.ts'

/**
 * A root file system must be made by root: the real one, or one that is only root within a namespace of its own. Either
 * way in private mount and process namespaces, so that a killed build leaves no mount and no process behind.
 * Returns the words to put before a command.
 */
export async function asRoot(): Promise<string[]> {
  const isRoot = process.getuid?.() === 0
  const contained = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc', '--']
  // The first word ties the work to this process: when it is killed, so is everything it started.
  const tied = ['setpriv', '--pdeathsig', 'KILL', '--']
  const prefix = [...tied, 'unshare', ...(isRoot ? [] : ['--user', '--map-root-user', '--map-auto']), ...contained]
  const [tool = '', ...args] = prefix
  const tried = await execa(tool, [...args, 'true'], { reject: false })
  if (!tried.failed) return prefix
  throw new GodHandError('missing_prerequisite', 'This user cannot make a root file system on this host.', {
    hint: isRoot ? 'Run it outside the container, or give the container CAP_SYS_ADMIN.' : await whatIsMissing(),
    details: { tried: tried.command, output: String(tried.stderr ?? '') },
  })
}

async function whatIsMissing(): Promise<string> {
  const user = os.userInfo().username
  const mapper = await execa('newuidmap', [], { reject: false })
  if (mapper.code === 'ENOENT') return 'Run: sudo apt-get install uidmap'
  if (!(await hasSubordinateIds('/etc/subuid', user)) || !(await hasSubordinateIds('/etc/subgid', user)))
    return `Run: sudo usermod --add-subuids 100000-165535 --add-subgids 100000-165535 ${user}`
  if ((await setting('kernel/apparmor_restrict_unprivileged_userns')) === '1')
    return 'Run: sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0'
  if ((await setting('kernel/unprivileged_userns_clone')) === '0')
    return 'Run: sudo sysctl -w kernel.unprivileged_userns_clone=1'
  return 'Run the same command once with sudo -E.'
}

async function hasSubordinateIds(file: string, user: string): Promise<boolean> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text.split('\n').some((line) => line.startsWith(`${user}:`))
}

async function setting(name: string): Promise<string | undefined> {
  return (await readFile(`/proc/sys/${name}`, 'utf8').catch(() => undefined))?.trim()
}
