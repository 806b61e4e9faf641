import { mkdirSync, openSync, renameSync, statSync } from 'node:fs'
import path from 'node:path'
import { type Logger, pino } from 'pino'
import type { Paths } from './paths.ts'

export type Log = Logger

const LARGEST_LOG = 20 * 1024 * 1024
const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

/** Lines of JSON in the data folder's log. GODHAND_LOG sets the level; what is still in memory is written at exit. */
export function openLog(paths: Paths): Log {
  mkdirSync(path.dirname(paths.engineLog), { recursive: true })
  keepOneOld(paths.engineLog)
  // Opened here and now: opened later, a folder that has gone meanwhile would end the whole process.
  const destination = pino.destination({ dest: openSync(paths.engineLog, 'a', 0o600), sync: false })
  destination.on('error', () => {}) // a full disk must not end a task for want of a log line
  process.once('exit', () => {
    try {
      destination.flushSync()
    } catch {
      // The file was never opened, or the disk is full: nothing is left to tell it to.
    }
  })
  const asked = process.env.GODHAND_LOG ?? 'info'
  return pino(
    {
      level: levels.includes(asked) ? asked : 'info',
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: ['token', 'apiKey', '*.token', '*.apiKey'],
    },
    destination,
  )
}

/** A log that goes nowhere, for tests and one-off tools. */
export const silentLog: Log = pino({ level: 'silent' })

function keepOneOld(file: string): void {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LARGEST_LOG) renameSync(file, `${file}.old`)
}
