import { z } from 'zod'

/** One try of a guest to reach something. Reported when it is decided, and once more when an open one has closed. */
export const EgressAttempt = z.object({
  id: z.number().int(), // the same for both reports, unique within one egress
  at: z.string(),
  method: z.string(), // CONNECT for a tunnel (https), the verb of a plain request; TCP, UDP or DNS where it tried without the proxy
  host: z.string(),
  port: z.number().int(),
  /** refused: by the allowlist or by where the name points. failed: allowed, but nobody answered. */
  outcome: z.enum(['open', 'closed', 'refused', 'failed']),
  reason: z.string().nullable(),
  address: z.string().nullable(), // what the name was resolved to and connected with
  bytesUp: z.number().int(),
  bytesDown: z.number().int(),
  durationMs: z.number().int(),
})
export type EgressAttempt = z.infer<typeof EgressAttempt>
