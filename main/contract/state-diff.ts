import { z } from 'zod'
import { Region } from './action.ts'

/** What changed in a machine between two moments, for people: verdicts, comparing branches, approvals. */

const FileFacts = z.object({ bytes: z.number().int(), modified: z.number(), mode: z.string(), owner: z.string() })
const FileEntry = FileFacts.extend({ path: z.string() })
const GuestProcess = z.object({ pid: z.number().int(), user: z.string(), name: z.string(), command: z.string() })
const WindowEntry = z.object({ id: z.string(), class: z.string(), title: z.string() })
const Port = z.object({ protocol: z.string(), address: z.string(), process: z.string() })

export const StateDiff = z.object({
  files: z.object({
    added: z.array(FileEntry.extend({ text: z.string().optional() })),
    removed: z.array(FileEntry),
    changed: z.array(z.object({ path: z.string(), before: FileFacts, after: FileFacts, diff: z.string().optional() })),
  }),
  processes: z.object({ started: z.array(GuestProcess), ended: z.array(GuestProcess) }),
  windows: z.object({
    opened: z.array(WindowEntry),
    closed: z.array(WindowEntry),
    retitled: z.array(z.object({ id: z.string(), before: z.string(), after: z.string() })),
  }),
  packages: z.object({
    installed: z.array(z.object({ name: z.string(), version: z.string() })),
    removed: z.array(z.object({ name: z.string(), version: z.string() })),
    changed: z.array(z.object({ name: z.string(), before: z.string(), after: z.string() })),
  }),
  ports: z.object({ opened: z.array(Port), closed: z.array(Port) }),
  screen: z.object({ boxes: z.array(Region), share: z.number() }),
  /** What could not be looked at, or only in part. Nothing is said about changes there. */
  unknown: z.array(z.string()),
})
export type StateDiff = z.infer<typeof StateDiff>
