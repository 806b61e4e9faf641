import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { GodHandError } from '../contract/errors.ts'
import type { Paths } from '../paths.ts'
import { isAlive, processIdentity } from './process-identity.ts'

/** What the engine that owns a data folder says about itself. Only its user can read it: the token opens everything. */
export const LockNote = z.object({
  pid: z.number().int().positive(),
  identity: z.string().nullable(),
  startedAt: z.string(),
  port: z.number().int().nullable(), // null while it is starting or leaving
  token: z.string().nullable(),
})
export type LockNote = z.infer<typeof LockNote>

export type EngineLock = {
  /** The engine that had the folder before and ended without saying goodbye. */
  readonly predecessor: LockNote | null
  announce(port: number, token: string): void
  /** Still the owner, but on the way out: nobody should knock any more. */
  withdraw(): void
  release(): void
}

/** Null when nobody holds the folder, or what is written there makes no sense. */
export function readLock(paths: Paths): LockNote | null {
  try {
    return LockNote.parse(JSON.parse(readFileSync(paths.engineLock, 'utf8')))
  } catch {
    return null
  }
}

/** Whether the engine that wrote this still lives. A number alone does not tell: it may belong to another by now. */
export async function isHeld(note: LockNote): Promise<boolean> {
  if (!isAlive(note.pid)) return false
  const identity = processIdentity(note.pid)
  if (identity !== null && note.identity !== null) return identity === note.identity
  if (note.port === null || note.token === null) return Date.now() - Date.parse(note.startedAt) < 60_000
  return await answersAs(note.pid, note.port, note.token)
}

export async function answersAs(pid: number, port: number, token: string): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/ping`, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(3000),
    })
    return z.object({ pid: z.literal(pid) }).safeParse(await response.json()).success
  } catch {
    return false
  }
}

/** Makes this process the owner of the data folder, or says who is. */
export async function acquireLock(paths: Paths): Promise<EngineLock> {
  ensureWritable(paths)
  const note: LockNote = {
    pid: process.pid,
    identity: processIdentity(process.pid),
    startedAt: new Date().toISOString(),
    port: null,
    token: null,
  }
  let predecessor: LockNote | null = null
  for (;;) {
    if (tryCreate(paths.engineLock, note)) break
    const holder = readLock(paths)
    if (holder && (await isHeld(holder))) throw alreadyRunning(paths, holder)
    predecessor = removeStale(paths.engineLock, holder) ?? predecessor
  }
  const rewrite = (change: Pick<LockNote, 'port' | 'token'>) => {
    Object.assign(note, change)
    const draft = draftName(paths.engineLock)
    writeFileSync(draft, JSON.stringify(note), { mode: 0o600 })
    renameSync(draft, paths.engineLock)
  }
  return {
    predecessor,
    announce: (port, token) => rewrite({ port, token }),
    withdraw: () => rewrite({ port: null, token: null }),
    release() {
      const now = readLock(paths)
      if (now?.pid === note.pid && now.startedAt === note.startedAt) rmSync(paths.engineLock, { force: true })
    },
  }
}

const draftName = (file: string) => `${file}.${process.pid}`

/** A hard link appears with all its content or not at all, and fails when the name is there. */
function tryCreate(file: string, note: LockNote): boolean {
  const draft = draftName(file)
  writeFileSync(draft, JSON.stringify(note), { mode: 0o600 })
  try {
    linkSync(draft, file)
    return true
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST') return false
    throw thrown
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Two starters may find the same stale lock: what was moved away must be what was judged, else it goes back. */
function removeStale(file: string, judged: LockNote | null): LockNote | null {
  const away = `${draftName(file)}.stale`
  try {
    renameSync(file, away)
  } catch {
    return null // another starter was faster
  }
  const moved = LockNote.safeParse(parseJson(readFileSync(away, 'utf8'))).data ?? null
  if (moved && (moved.pid !== judged?.pid || moved.startedAt !== judged.startedAt)) {
    try {
      linkSync(away, file)
    } catch {
      // A third one holds it already.
    }
  }
  rmSync(away, { force: true })
  return judged
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function alreadyRunning(paths: Paths, holder: LockNote): GodHandError {
  return new GodHandError('engine_running', `GodHand already runs on ${paths.home} (process ${holder.pid}).`, {
    hint: 'Open it with `npx godhand open`, stop it with `npx godhand stop`, or set GODHAND_HOME to another folder.',
    details: { pid: holder.pid, port: holder.port, startedAt: holder.startedAt },
  })
}

/** Asked before anything else is tried, so that the person hears of the folder and not of some file in it. */
export function ensureWritable(paths: Paths): void {
  const probe = path.join(paths.home, `.writable-${process.pid}`)
  try {
    mkdirSync(paths.home, { recursive: true, mode: 0o700 })
    writeFileSync(probe, 'x')
    rmSync(probe)
  } catch (thrown) {
    const known = GodHandError.from(thrown)
    if (known.code === 'disk_full') throw known
    throw new GodHandError('not_writable', `GodHand can't write to its data folder ${paths.home}: ${known.message}`, {
      cause: thrown,
      hint: 'Check who owns that folder and whether its disk is read-only, or set GODHAND_HOME to a folder you can write to.',
      details: { folder: paths.home },
    })
  }
}
