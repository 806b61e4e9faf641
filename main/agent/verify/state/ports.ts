import type { Sandbox } from '../../../sandbox/sandbox.ts'
import { answer } from '../guest/run.ts'

export type Port = { protocol: string; address: string; process: string }

/** What listens for connections. */
export async function listPorts(sandbox: Sandbox): Promise<Port[]> {
  return parsePorts(await answer(sandbox, ['sudo', '-n', 'ss', '-H', '-lntup']))
}

export function parsePorts(list: string): Port[] {
  return list.split('\n').flatMap((line) => {
    const [protocol, , , , address] = line.trim().split(/\s+/)
    if (!protocol || !address) return []
    return [{ protocol, address, process: /users:\(\("([^"]+)"/.exec(line)?.[1] ?? '' }]
  })
}
