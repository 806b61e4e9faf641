import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { execa } from 'execa'
import { GodHandError } from '../main/contract/errors.ts'

export type KernelModule = { name: string; data: Buffer; dependsOn: string[] }

export interface ModuleTree {
  readonly release: string
  /** These and what they depend on, each after its dependencies. What is built into the kernel is left out. */
  load(names: string[]): Promise<KernelModule[]>
}

/** `folder` is usr/lib/modules/<release> of an unpacked kernel package; `busybox` unpacks the xz files. */
export async function moduleTree(folder: string, busybox: string): Promise<ModuleTree> {
  const builtIn = new Set((await readFile(path.join(folder, 'modules.builtin'), 'utf8')).split('\n').map(moduleName))
  const files = new Map<string, string>()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (/\.ko(\.xz)?$/.test(entry.name)) files.set(moduleName(entry.name), path.join(entry.parentPath, entry.name))
  const read = new Map<string, Promise<KernelModule>>()

  const readModule = async (name: string): Promise<KernelModule> => {
    const file = files.get(name)
    if (file === undefined) throw new GodHandError('image_build_failed', `The kernel has no module called ${name}.`)
    const data = file.endsWith('.xz')
      ? Buffer.from((await execa(busybox, ['xzcat', file], { encoding: 'buffer' })).stdout)
      : await readFile(file)
    return { name, data, dependsOn: dependencies(data) }
  }

  return {
    release: path.basename(folder),
    load: async (names) => {
      const ordered = new Map<string, KernelModule>()
      const visit = async (name: string): Promise<void> => {
        if (ordered.has(name) || (builtIn.has(name) && !files.has(name))) return
        const reading = read.get(name) ?? readModule(name)
        read.set(name, reading)
        const found = await reading
        for (const dependency of found.dependsOn) await visit(dependency)
        ordered.set(name, found)
      }
      for (const name of names) await visit(moduleName(name))
      return [...ordered.values()]
    },
  }
}

/** The kernel takes - and _ in a module's name for the same letter. */
export function moduleName(file: string): string {
  return path
    .basename(file)
    .replace(/\.ko(\.xz)?$/, '')
    .replaceAll('-', '_')
}

/** From the .modinfo section, where `depends=a,b` stands between zero bytes. */
export function dependencies(module: Buffer): string[] {
  const at = module.indexOf('\0depends=')
  if (at < 0) return []
  const start = at + '\0depends='.length
  const list = module.toString('latin1', start, module.indexOf(0, start))
  return list === '' ? [] : list.split(',').map(moduleName)
}

/**
 * What `depmod` would write, for modules that all lie in one folder and are given each after its dependencies. A line
 * names a module's dependencies in the opposite order: `modprobe` loads the last one first.
 */
export function moduleIndex(modules: KernelModule[]): { dep: string; alias: string } {
  const needs = new Map<string, Set<string>>()
  let dep = ''
  let alias = ''
  for (const { name, dependsOn, data } of modules) {
    const all = new Set(dependsOn.flatMap((each) => [each, ...(needs.get(each) ?? [])]))
    needs.set(name, all)
    const reversed = [...needs.keys()].filter((each) => all.has(each)).reverse()
    dep += `${name}.ko:${reversed.map((each) => ` ${each}.ko`).join('')}\n`
    for (const pattern of aliases(data)) alias += `alias ${pattern} ${name}\n`
  }
  return { dep, alias }
}

function aliases(module: Buffer): string[] {
  return [...module.toString('latin1').matchAll(/\0alias=([!-~]+)(?=\0)/g)].map((match) => match[1] ?? '')
}
