import { z } from 'zod'

/** What a client says as text on /terminal/<machine>; everything else on it is the terminal's bytes. */
export const TerminalSize = z.object({
  columns: z.number().int().min(1).max(1000),
  rows: z.number().int().min(1).max(1000),
})
export type TerminalSize = z.infer<typeof TerminalSize>
