import { z } from 'zod'

export const LogLevel = z.enum(['debug', 'info', 'warn', 'error'])
export type LogLevel = z.infer<typeof LogLevel>

export const LogLine = z.object({
  at: z.string(),
  level: LogLevel,
  message: z.string(),
  more: z.record(z.string(), z.unknown()), // what the line says beside its words
})
export type LogLine = z.infer<typeof LogLine>

export const LogQuery = z.object({
  level: LogLevel.default('info'), // and what is graver
  lines: z.number().int().min(1).max(2000).default(300),
})
export type LogQuery = z.infer<typeof LogQuery>

/** What a person has to say before everything is erased. */
export const RESET_WORDS = 'erase everything'
