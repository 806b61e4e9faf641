import fs from 'node:fs/promises'
import { z } from 'zod'
import { type LogLevel, LogLine, type LogQuery } from '../contract/diagnostics.ts'

/** More than anyone reads; a log may have grown to many times this. */
const MOST_BYTES = 4 * 1024 * 1024

const Written = z.looseObject({ level: z.number(), time: z.string(), msg: z.string().default('') })

const levelOf = (level: number): LogLevel =>
  level >= 50 ? 'error' : level >= 40 ? 'warn' : level >= 30 ? 'info' : 'debug'
const gravity: Record<LogLevel, number> = { debug: 20, info: 30, warn: 40, error: 50 }

/** The last lines of the engine's log, oldest first. A line that is no JSON is left out. */
export async function readLog(file: string, { level, lines }: LogQuery): Promise<LogLine[]> {
  const found: LogLine[] = []
  for (const text of (await tailOf(file, MOST_BYTES)).split('\n').reverse()) {
    const line = lineOf(text)
    if (line && gravity[line.level] >= gravity[level]) found.push(line)
    if (found.length === lines) break
  }
  return found.reverse()
}

/** The end of a file, from a whole line on; empty when there is none. */
export async function tailOf(file: string, most: number): Promise<string> {
  const handle = await fs.open(file, 'r').catch(() => null)
  if (!handle) return ''
  try {
    const { size } = await handle.stat()
    const start = Math.max(0, size - most)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - start), 0, size - start, start)
    const text = buffer.toString('utf8', 0, bytesRead)
    return start === 0 ? text : text.slice(text.indexOf('\n') + 1)
  } finally {
    await handle.close()
  }
}

function lineOf(text: string): LogLine | null {
  try {
    const { level, time, msg, pid: _, ...more } = Written.parse(JSON.parse(text))
    return LogLine.parse({ at: time, level: levelOf(level), message: msg, more })
  } catch {
    return null
  }
}
