import { z } from 'zod'
import { GodHandError } from '../../contract/errors.ts'
import type { Sandbox } from '../sandbox.ts'

const BROWSER_POLICY = '/etc/firefox/policies/policies.json'
const Policy = z.object({ policies: z.record(z.string(), z.unknown()).default({}) }).loose()

/** Tells shells, apt and the browser about the proxy. A browser that already runs learns of it when it starts anew. */
export async function useProxyInGuest(guest: Pick<Sandbox, 'exec' | 'readFile'>, port: number): Promise<void> {
  const policy = await guest.readFile(BROWSER_POLICY, 1024 * 1024).catch((error: unknown) => {
    if (GodHandError.from(error).code === 'not_found') return null
    throw error
  })
  const script = settingsScript(port, policy?.toString('utf8') ?? null)
  const { exitCode, stderr } = await guest.exec('sudo sh -s', { stdin: script })
  if (exitCode !== 0)
    throw new GodHandError('machine_error', `The guest did not take its proxy settings: ${stderr.trim()}`)
}

export function settingsScript(port: number, policy: string | null): string {
  const proxy = `http://127.0.0.1:${port}`
  const shell = [
    `export http_proxy=${proxy} https_proxy=${proxy} HTTP_PROXY=${proxy} HTTPS_PROXY=${proxy}`,
    'export no_proxy=localhost,127.0.0.1,::1 NO_PROXY=localhost,127.0.0.1,::1',
  ]
  return [
    'set -e',
    file('/etc/profile.d/godhand-proxy.sh', shell.join('\n')),
    // Read by every bash, also one that runs a single command over SSH; the first line, as the file may return early.
    "[ ! -e /etc/bash.bashrc ] || grep -q godhand-proxy /etc/bash.bashrc || sed -i '1i . /etc/profile.d/godhand-proxy.sh' /etc/bash.bashrc",
    `if [ -d /etc/apt ]; then mkdir -p /etc/apt/apt.conf.d; ${file('/etc/apt/apt.conf.d/90godhand-proxy', `Acquire::http::Proxy "${proxy}";\nAcquire::https::Proxy "${proxy}";`)}\nfi`,
    'mkdir -p /etc/firefox/policies',
    file(BROWSER_POLICY, browserPolicy(port, policy)),
    '',
  ].join('\n')
}

/** The browser's policy file with our proxy in it; what else it says is kept. */
export function browserPolicy(port: number, existing: string | null): string {
  const parsed = Policy.safeParse(existing === null ? {} : parseJson(existing))
  const kept = parsed.success ? parsed.data : { policies: {} }
  const address = `127.0.0.1:${port}`
  const proxy = {
    Mode: 'manual',
    HTTPProxy: address,
    UseHTTPProxyForAllProtocols: true,
    Passthrough: 'localhost, 127.0.0.1',
  }
  return JSON.stringify({ ...kept, policies: { ...kept.policies, Proxy: proxy } }, null, 2)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

/**
 * A here-document whose end no line of ours can be. What is there already is left alone: in a copy of a machine it must
 * not look as if something had been changed.
 */
function file(path: string, content: string): string {
  const draft = `${path}.new`
  return `cat >${draft} <<'GODHAND_END_OF_FILE'\n${content}\nGODHAND_END_OF_FILE\nif cmp -s ${draft} ${path}; then rm ${draft}; else mv ${draft} ${path}; fi`
}
