import { GodHandError } from '../../contract/errors.ts'
import type { StateDiff } from '../../contract/state-diff.ts'
import type { RawFrame, Sandbox } from '../../sandbox/sandbox.ts'
import { diffFrames } from '../../screen/diff.ts'
import { type GuestProcess, listProcesses } from './guest/processes.ts'
import { type GuestWindow, listWindows } from './guest/windows.ts'
import { type FileFacts, listFiles } from './state/files.ts'
import { lineDiff } from './state/line-diff.ts'
import { listPackages } from './state/packages.ts'
import { listPorts, type Port } from './state/ports.ts'
import { readSmallTexts } from './state/texts.ts'

/** A machine at one moment. What could not be looked at is null, and named in `unknown`. */
export type GuestState = {
  files: Map<string, FileFacts> | null
  texts: Map<string, string> | null
  processes: GuestProcess[] | null
  windows: GuestWindow[] | null
  packages: Map<string, string> | null
  ports: Port[] | null
  frame: RawFrame | null
  unknown: string[]
}

/** Looks at everything at once; takes a second or two. Nothing in the guest is changed by it. */
export async function captureState(sandbox: Sandbox): Promise<GuestState> {
  const unknown: string[] = []
  const part = async <T>(name: string, look: () => Promise<T>): Promise<T | null> =>
    look().catch((thrown: unknown) => {
      const error = GodHandError.from(thrown)
      if (error.code === 'machine_died') throw error
      unknown.push(`${name}: ${error.message}`)
      return null
    })
  const [frame, files, texts, processes, windows, packages, ports] = await Promise.all([
    part('screen', () => sandbox.capture()),
    part('files', () => listFiles(sandbox)),
    part('text files', () => readSmallTexts(sandbox)),
    part('processes', () => listProcesses(sandbox)),
    part('windows', () => listWindows(sandbox)),
    part('packages', () => listPackages(sandbox)),
    part('ports', () => listPorts(sandbox)),
  ])
  if (files && !files.complete) unknown.push('files: there are too many to list all of them')
  return { files: files?.files ?? null, texts, processes, windows, packages, ports, frame, unknown }
}

export function diffStates(before: GuestState, after: GuestState): StateDiff {
  return {
    files: diffFiles(before, after),
    processes: diffProcesses(before.processes, after.processes),
    windows: diffWindows(before.windows, after.windows),
    packages: diffPackages(before.packages, after.packages),
    ports: diffPorts(before.ports, after.ports),
    screen: before.frame && after.frame ? diffFrames(before.frame, after.frame) : { boxes: [], share: 0 },
    unknown: [...new Set([...before.unknown, ...after.unknown])],
  }
}

function diffFiles(before: GuestState, after: GuestState): StateDiff['files'] {
  const files: StateDiff['files'] = { added: [], removed: [], changed: [] }
  if (!before.files || !after.files) return files
  for (const [path, facts] of after.files) {
    const old = before.files.get(path)
    const text = after.texts?.get(path)
    if (!old) files.added.push({ path, ...facts, ...(text === undefined ? {} : { text: text.slice(0, 2000) }) })
    else if (
      old.bytes !== facts.bytes ||
      old.modified !== facts.modified ||
      old.mode !== facts.mode ||
      old.owner !== facts.owner
    ) {
      const oldText = before.texts?.get(path)
      const diff = text === undefined || oldText === undefined ? undefined : lineDiff(oldText, text)
      files.changed.push({ path, before: old, after: facts, ...(diff === undefined ? {} : { diff }) })
    }
  }
  for (const [path, facts] of before.files) if (!after.files.has(path)) files.removed.push({ path, ...facts })
  return files
}

function diffProcesses(before: GuestProcess[] | null, after: GuestProcess[] | null): StateDiff['processes'] {
  if (!before || !after) return { started: [], ended: [] }
  const key = ({ pid, command }: GuestProcess) => `${pid} ${command}`
  const missingIn = (list: GuestProcess[]) => {
    const keys = new Set(list.map(key))
    return (process: GuestProcess) => !keys.has(key(process))
  }
  return { started: after.filter(missingIn(before)), ended: before.filter(missingIn(after)) }
}

function diffWindows(before: GuestWindow[] | null, after: GuestWindow[] | null): StateDiff['windows'] {
  if (!before || !after) return { opened: [], closed: [], retitled: [] }
  const plain = ({ id, class: name, title }: GuestWindow) => ({ id, class: name, title })
  const find = (list: GuestWindow[], id: string) => list.find((window) => window.id === id)
  return {
    opened: after.filter(({ id }) => !find(before, id)).map(plain),
    closed: before.filter(({ id }) => !find(after, id)).map(plain),
    retitled: after.flatMap(({ id, title }) => {
      const old = find(before, id)
      return old && old.title !== title ? [{ id, before: old.title, after: title }] : []
    }),
  }
}

function diffPackages(before: Map<string, string> | null, after: Map<string, string> | null): StateDiff['packages'] {
  const packages: StateDiff['packages'] = { installed: [], removed: [], changed: [] }
  if (!before || !after) return packages
  for (const [name, version] of after) {
    const old = before.get(name)
    if (old === undefined) packages.installed.push({ name, version })
    else if (old !== version) packages.changed.push({ name, before: old, after: version })
  }
  for (const [name, version] of before) if (!after.has(name)) packages.removed.push({ name, version })
  return packages
}

function diffPorts(before: Port[] | null, after: Port[] | null): StateDiff['ports'] {
  if (!before || !after) return { opened: [], closed: [] }
  const missingIn = (list: Port[]) => (port: Port) =>
    !list.some(({ protocol, address }) => protocol === port.protocol && address === port.address)
  return { opened: after.filter(missingIn(before)), closed: before.filter(missingIn(after)) }
}
