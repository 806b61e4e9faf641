import { z } from 'zod'
import { GodHandError } from '../contract/errors.ts'
import type { Paths } from '../paths.ts'
import { isHeld, readLock } from './engine-lock.ts'

/** A running engine, and the plain HTTP part of talking to it. */
export type FoundEngine = {
  readonly pid: number
  readonly token: string
  readonly rpcUrl: string
  newLink(): Promise<string>
  framePng(hash: string): Promise<Buffer>
}

/** The engine that runs on this data folder and has its doors open, or null. */
export async function findEngine(paths: Paths): Promise<FoundEngine | null> {
  const note = readLock(paths)
  if (!note || note.port === null || note.token === null || !(await isHeld(note))) return null
  const { pid, port, token } = note
  const ask = async (method: string, path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
    }).catch((cause: unknown) => {
      throw new GodHandError('engine_unreachable', 'The engine does not answer.', {
        cause,
        hint: `Its log may say why: ${paths.engineLog}`,
      })
    })
    if (response.ok) return response
    const body = z
      .object({ error: z.object({ message: z.string() }) })
      .safeParse(await response.json().catch(() => null))
    throw new GodHandError(
      response.status === 404 ? 'not_found' : 'internal',
      body.data?.error.message ?? `The engine answered with status ${response.status}.`,
    )
  }
  return {
    pid,
    token,
    rpcUrl: `ws://127.0.0.1:${port}/rpc`,
    newLink: async () => z.object({ url: z.string() }).parse(await (await ask('POST', '/link')).json()).url,
    framePng: async (hash) => Buffer.from(await (await ask('GET', `/frames/${hash}.png`)).arrayBuffer()),
  }
}
