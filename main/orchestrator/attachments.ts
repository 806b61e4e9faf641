import fs from 'node:fs/promises'
import path from 'node:path'
import { ATTACHED_FOLDER, type Attachment, LARGEST_ATTACHED } from '../contract/attachment.ts'
import { GodHandError } from '../contract/errors.ts'
import { safeFileName } from '../sandbox/safe-file-name.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { sendFile } from '../sandbox/transfer.ts'
import { newId } from '../trace/ids.ts'

/** A task may wait in the queue, or be gone on with after a restart; nobody comes back after this. */
const KEPT_MS = 7 * 24 * 60 * 60_000

/** Files the person handed over, each in a folder of its own: attached/<id>/<name>. */
export class Attachments {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Takes a copy, so that the task gets what was there when it was attached. */
  async add(file: string, name: string): Promise<Attachment> {
    const found = await fs.lstat(file).catch((cause: unknown) => {
      throw new GodHandError('not_found', `There is no file ${file}.`, { cause })
    })
    if (!found.isFile())
      throw new GodHandError('bad_request', `${file} is not a plain file.`, {
        hint: 'Folders and links can’t be attached. Pack a folder into one file first.',
      })
    if (found.size > LARGEST_ATTACHED)
      throw new GodHandError('bad_request', `${name} is too large to be attached.`, {
        hint: `A file may have ${LARGEST_ATTACHED / 1024 ** 2} MB.`,
      })
    const attachment = { id: newId('file'), name: safeFileName(path.basename(name)), bytes: found.size }
    const folder = path.join(this.#folder, attachment.id)
    await fs.mkdir(folder, { recursive: true, mode: 0o700 })
    await fs.copyFile(file, path.join(folder, attachment.name), fs.constants.COPYFILE_FICLONE)
    return attachment
  }

  /** Throws for one that is not here, before anything is begun. */
  async check(ids: readonly string[]): Promise<void> {
    for (const id of ids) await this.#fileOf(id)
  }

  /** Puts them into the guest, under names that do not collide. Returns where they are there. */
  async deliver(ids: readonly string[], sandbox: Pick<Sandbox, 'exec' | 'writeFile'>): Promise<string[]> {
    if (ids.length === 0) return []
    await sandbox.exec(`mkdir -p ${ATTACHED_FOLDER}`)
    const places: string[] = []
    for (const id of ids) {
      const file = await this.#fileOf(id)
      const place = freeName(places, path.basename(file))
      await sendFile(sandbox, file, place, LARGEST_ATTACHED)
      places.push(place)
    }
    return places
  }

  /** Removes what nobody will come back for. */
  async sweep(now = Date.now()): Promise<void> {
    for (const id of await fs.readdir(this.#folder).catch(() => [])) {
      const folder = path.join(this.#folder, id)
      const { mtimeMs } = await fs.stat(folder)
      if (now - mtimeMs > KEPT_MS) await fs.rm(folder, { recursive: true, force: true })
    }
  }

  async #fileOf(id: string): Promise<string> {
    const folder = path.join(this.#folder, id)
    const [name] = await fs.readdir(folder).catch(() => [])
    if (name === undefined)
      throw new GodHandError('not_found', `The attached file ${id} is no longer here.`, { hint: 'Attach it again.' })
    return path.join(folder, name)
  }
}

function freeName(taken: readonly string[], name: string): string {
  const { name: stem, ext } = path.parse(name)
  for (let copy = 0; ; copy++) {
    const place = `${ATTACHED_FOLDER}/${copy === 0 ? name : `${stem} (${copy})${ext}`}`
    if (!taken.includes(place)) return place
  }
}
