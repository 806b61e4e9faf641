import type { Sandbox } from '../../../sandbox/sandbox.ts'
import { answer } from '../guest/run.ts'

/** Installed packages and their versions. */
export async function listPackages(sandbox: Sandbox): Promise<Map<string, string>> {
  const format = `${['binary:Package', 'Version', 'db:Status-Status'].map((field) => `\${${field}}`).join('\\t')}\\n`
  return parsePackages(await answer(sandbox, ['dpkg-query', '-W', `-f=${format}`], { maxOutputBytes: 4 * 1024 * 1024 }))
}

export function parsePackages(list: string): Map<string, string> {
  const packages = new Map<string, string>()
  for (const line of list.split('\n')) {
    const [name, version, status] = line.split('\t')
    if (name && version && status === 'installed') packages.set(name, version)
  }
  return packages
}
