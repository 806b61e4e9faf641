import { gunzipSync } from 'node:zlib'
import type { Sandbox } from '../../../sandbox/sandbox.ts'
import { pruned } from './files.ts'
import { untar } from './untar.ts'

const mostFiles = 600
const mostBytes = 8 * 1024 * 1024

/**
 * The content of small text files where people write (home, settings, temporary files), so that a later change can be shown
 * line by line. The script is a constant: nothing that a model wrote is in it.
 */
const collect = `cd / && sudo -n find home etc tmp -xdev \\( ${pruned.map((p) => `-path '${p.replace(/^\//, '')}'`).join(' -o ')} \\) -prune -o \
-type f -size -33k \\( -path 'etc/*' -newer /etc/hostname -o -not -path 'etc/*' \\) -print0 2>/dev/null | head -z -n ${mostFiles} | \
sudo -n tar --null --files-from=- --create --file=- --ignore-failed-read 2>/dev/null | gzip -1 | base64 -w0`

/** By path. Files that are not text are left out. */
export async function readSmallTexts(sandbox: Sandbox): Promise<Map<string, string>> {
  const { stdout, truncated } = await sandbox.exec(collect, { timeoutMs: 60_000, maxOutputBytes: mostBytes })
  const texts = new Map<string, string>()
  if (truncated || stdout === '') return texts
  for (const { path, content } of untar(gunzipSync(Buffer.from(stdout, 'base64'))))
    if (isText(content)) texts.set(`/${path}`, content.toString('utf8'))
  return texts
}

export function isText(content: Buffer): boolean {
  return !content.includes(0) && Buffer.from(content.toString('utf8')).equals(content)
}
