import { createHmac } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'
import { sendError, sendJson } from './answers.ts'
import { type OneTimeCodes, oneTimeCodes } from './one-time-codes.ts'
import { sameSecret } from './secrets.ts'

const LARGEST_ANSWER = 1000
const Answer = z.object({ challenge: z.string(), proof: z.string() })

/**
 * How a window that an earlier engine let in comes back to the next one without a new link. Its cookie ended with that
 * engine, for a cookie goes out to whatever listens on the host meanwhile. The window has a key instead, which is never
 * sent: it answers a challenge, and its own address is part of the answer, so that whoever sits on another port cannot
 * pass the answer on.
 */
export function returningWindows(key: string) {
  const challenges: OneTimeCodes = oneTimeCodes(60_000)
  return {
    key,
    challenge: (): string => challenges.issue(),
    isProven({ challenge, proof }: z.infer<typeof Answer>, origin: string): boolean {
      const fresh = challenges.redeem(challenge)
      return sameSecret(proof, proofOf(key, challenge, origin)) && fresh
    },
  }
}
export type ReturningWindows = ReturnType<typeof returningWindows>

/** The page says the same in public/returning.js. */
export function proofOf(key: string, challenge: string, origin: string): string {
  return createHmac('sha256', key).update(`${challenge} ${origin}`).digest('hex')
}

/** POST /session: the answer to a challenge becomes a session. */
export async function receiveProof(
  windows: ReturningWindows,
  cookie: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const answer = Answer.safeParse(await readJson(request)).data
  if (!answer || !windows.isProven(answer, `http://${request.headers.host}`))
    return sendError(response, 401, { code: 'unauthorized', message: 'This window is not known here.' })
  response.setHeader('Set-Cookie', cookie)
  sendJson(response, 200, {})
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const chunk of request) {
    text += String(chunk)
    if (text.length > LARGEST_ANSWER) return null
  }
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
