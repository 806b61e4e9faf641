import { accessSync, constants } from 'node:fs'
import path from 'node:path'

/** A browser of the system, if there is one: tests that look at pages are left out where there is none. */
export function chromium(): string | null {
  if (process.env.GODHAND_CHROMIUM) return process.env.GODHAND_CHROMIUM
  const folders = (process.env.PATH ?? '').split(path.delimiter)
  const candidates = folders.flatMap((folder) =>
    ['chromium', 'chromium-browser', 'google-chrome'].map((name) => path.join(folder, name)),
  )
  return candidates.find(isProgram) ?? null
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
