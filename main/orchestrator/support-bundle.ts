import { createWriteStream } from 'node:fs'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { GodHandError } from '../contract/errors.ts'
import type { DoctorCheck } from '../contract/rpc.ts'
import type { Task } from '../contract/task.ts'
import type { Paths } from '../paths.ts'
import { writeZip } from '../trace/bundle/zip-writer.ts'
import { tailOf } from './log-reader.ts'

const MOST_LOG = 2 * 1024 * 1024
const SHORTEST = 4

export type SupportParts = {
  paths: Paths
  about: Record<string, unknown>
  checks: DoctorCheck[]
  tasks: Task[]
  /** Values that must not get out: secrets and keys. */
  secrets: string[]
}

const readme = `This bundle was made by GodHand for somebody who helps you. It holds what this computer is like, what the checks
found, how the last tasks ended, and the end of the logs. It holds no secrets, keys or tokens, no goals, no pictures and
nothing from inside a desktop. Your home folder is written as ~. Read it before you give it away: it is plain text.
`

/** For whoever helps: a zip of plain text, without secrets. There whole or not at all. */
export async function writeSupportBundle(file: string, parts: SupportParts): Promise<{ file: string; bytes: number }> {
  const clean = cleaner([...parts.secrets, ...(await doorSecrets(parts.paths))])
  const { engineLog, logs } = parts.paths
  const texts: [string, string][] = [
    ['README.txt', readme],
    ['about.json', json(parts.about)],
    ['checks.json', json(parts.checks)],
    ['tasks.json', json(parts.tasks.map(withoutContent))],
    ['logs/engine.log', await tailOf(engineLog, MOST_LOG)],
    ['logs/engine.log.old', await tailOf(`${engineLog}.old`, MOST_LOG)],
    ['logs/background.log', await tailOf(path.join(logs, 'background.log'), MOST_LOG)],
  ]
  const draft = `${file}.part`
  try {
    await writeZip(createWriteStream(draft, { mode: 0o600 }), async (zip) => {
      for (const [name, text] of texts) if (text) await zip.add(name, Buffer.from(clean(text)), { compress: true })
    })
    await fs.rename(draft, file)
  } catch (thrown) {
    await fs.rm(draft, { force: true })
    throw GodHandError.from(thrown)
  }
  return { file, bytes: (await fs.stat(file)).size }
}

/** How it ended, not what it was about. */
function withoutContent({ id, image, planner, state, stepCount, createdAt, startedAt, endedAt, error }: Task) {
  return { id, image, planner, state, stepCount, createdAt, startedAt, endedAt, error: error?.code ?? null }
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

/** Takes out the values it was given, whatever looks like a key of a model service, and where the person’s home is. */
export function cleaner(values: readonly string[]): (text: string) => string {
  const removed = '[removed]'
  // As they stand, and as they stand inside JSON.
  const written = values
    .filter((value) => value.length >= SHORTEST)
    .flatMap((value) => [value, JSON.stringify(value).slice(1, -1)])
    .sort((a, b) => b.length - a.length)
  return (text) => {
    const without = written.reduce((rest, value) => rest.replaceAll(value, removed), text)
    return without
      .replace(/\bsk-[\w-]{8,}/g, removed)
      .replace(/\b(bearer|token|code|key)([=: "]+)[\w-]{20,}/gi, `$1$2${removed}`)
      .replaceAll(os.homedir(), '~')
  }
}

/** What opens this engine’s own doors. */
async function doorSecrets(paths: Paths): Promise<string[]> {
  const Doors = z.object({ token: z.string().nullish(), key: z.string().nullish() })
  const read = async (file: string) => {
    const text = await fs.readFile(file, 'utf8').catch(() => '{}')
    const { token, key } = Doors.catch({}).parse(parseJson(text))
    return [token, key].filter((value) => typeof value === 'string')
  }
  return [...(await read(paths.engineLock)), ...(await read(paths.door))]
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
