import type { ErrorInfo, GodHandError } from '../contract/errors.ts'
import { printError } from './print-error.ts'

/** How a command speaks: to a person in text, to a program in exactly one JSON document on standard output. */
export type Output = {
  readonly json: boolean
  /** The command's answer. Called once. */
  answer(data: unknown, text: string): void
  /** A line of what is going on, for a person. */
  line(text: string): void
  /** Beside the answer: what a person should know. */
  note(text: string): void
  error(error: GodHandError): void
}

export function outputFor(json: boolean): Output {
  if (json)
    return {
      json,
      answer: (data) => void process.stdout.write(`${JSON.stringify(data, null, 2)}\n`),
      line: () => {},
      note: () => {},
      error: (error) => {
        const body: { error: ErrorInfo } = { error: error.toInfo() }
        process.stdout.write(`${JSON.stringify(body, null, 2)}\n`)
      },
    }
  return {
    json,
    answer: (_data, text) => void (text !== '' && process.stdout.write(`${text}\n`)),
    line: (text) => void process.stdout.write(`${text}\n`),
    note: (text) => void process.stderr.write(`${text}\n`),
    error: printError,
  }
}
