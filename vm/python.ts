import { execa } from 'execa'
import { GodHandError } from '../main/contract/errors.ts'

const INSTALL = ['apt-get', 'install', '--yes', '--no-install-recommends', 'python3']

/** mmdebstrap filters what it unpacks with a Python program. Slim systems lack Python; root can mend that at once. */
export async function ensurePython(signal: AbortSignal | undefined): Promise<void> {
  if (await runs(['python3', '--version'], signal)) return
  const isRoot = process.getuid?.() === 0
  if (isRoot && (await runs(['apt-get', 'update'], signal)) && (await runs(INSTALL, signal))) return
  throw new GodHandError('missing_prerequisite', 'Building the guest image needs Python 3, which is not here.', {
    hint: `Run: sudo ${INSTALL.join(' ')}`,
  })
}

async function runs([program = '', ...args]: string[], signal: AbortSignal | undefined): Promise<boolean> {
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  const cancel = signal === undefined ? {} : { cancelSignal: signal }
  return !(await execa(program, args, { env, reject: false, stdin: 'ignore', ...cancel })).failed
}
