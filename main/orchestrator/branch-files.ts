import fs from 'node:fs/promises'
import path from 'node:path'
import type { Branch } from '../contract/branching.ts'
import { GodHandError } from '../contract/errors.ts'
import type { Paths } from '../paths.ts'
import type { Store } from '../trace/store.ts'
import type { Machines } from './machines.ts'

/** What is fetched of one branch: work of a person's size, not a disk. */
const MOST_FILES = 200
const MOST_BYTES = 50 * 1024 * 1024

type Options = { paths: Paths; store: Store; machines: Machines }

/** Files that branches made, for when their machines are gone. */
export class BranchFiles {
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  /** Copies what the branch made or changed in people's own folders; the smallest first, as far as there is room. */
  async take(branch: Branch, machineId: string): Promise<string[]> {
    const { added = [], changed = [] } = branch.diff?.files ?? {}
    const made = [...added, ...changed.map(({ path: name, after }) => ({ path: name, ...after }))]
      .filter(({ path: name }) => /^\/(home|root)\//.test(name) && !/\/\.(cache|config|local)\//.test(name))
      .sort((a, b) => a.bytes - b.bytes)
    const taken: string[] = []
    let left = MOST_BYTES
    for (const { path: name, bytes } of made.slice(0, MOST_FILES)) {
      if (bytes > left) break
      const content = await this.#read(machineId, name).catch(() => null) // a socket, a link to nowhere
      if (!content) continue
      left -= content.length
      const file = this.#copyOf(branch.id, name)
      await fs.mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
      await fs.writeFile(file, content, { mode: 0o600 })
      taken.push(name)
    }
    return taken
  }

  /** From wherever it still is: the live machine, the copy, or the snapshot, which is started for a moment. */
  async fetch({ branchId, path: name, file }: { branchId: string; path: string; file: string }) {
    const branch = this.#options.store.branches.get(branchId)
    if (!branch) throw new GodHandError('not_found', `There is no branch ${branchId}.`)
    const content = await this.#find(branch, name)
    await fs.writeFile(file, content)
    return { file, bytes: content.length }
  }

  async forget(branches: Branch[]): Promise<void> {
    for (const { id } of branches)
      await fs.rm(path.join(this.#options.paths.branchFiles, id), { recursive: true, force: true })
  }

  async #find({ id, machineId, files, endSnapshot }: Branch, name: string): Promise<Buffer> {
    const { machines } = this.#options
    if (files.includes(name)) return fs.readFile(this.#copyOf(id, name))
    const live = machines.list().find((machine) => machine.id === machineId)
    if (live?.state.kind === 'running') return this.#read(live.id, name)
    if (endSnapshot === null)
      throw new GodHandError('not_found', 'The machine of this branch is gone, and that file was not fetched.', {
        hint: 'Let losers be kept: branching.losers = files or keep (godhand run --losers files).',
      })
    const { image } = machines.snapshotOf(endSnapshot)
    const wish = { image, name: 'fetching a file', fromSnapshot: endSnapshot, boot: false, allow: [] }
    const { id: passing } = await machines.create(wish)
    return this.#read(passing, name).finally(() => machines.destroy(passing).catch(() => {}))
  }

  #read(machineId: string, name: string): Promise<Buffer> {
    return this.#options.machines.use(machineId, (sandbox) => sandbox.readFile(name, MOST_BYTES))
  }

  /** A guest chooses its names; none of them may lead out of the folder. */
  #copyOf(branchId: string, name: string): string {
    return path.join(this.#options.paths.branchFiles, branchId, path.posix.resolve('/', name))
  }
}
