import fs from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { GodHandError } from '../contract/errors.ts'
import { SHORTEST_SECRET } from './secrets.ts'

/** What locks values away: Electron's safeStorage, which uses the system's keychain. */
export type Sealer = {
  isEncryptionAvailable(): boolean
  encryptString(text: string): Buffer
  decryptString(sealed: Buffer): string
  /** Why it can't be relied upon here, where that is known. */
  weakness?: string
}

/** What the person types into forms, and the keys of model services. They never mix: a task cannot ask for a key. */
export type SecretKind = 'secret' | 'api_key'

const Entry = z.object({
  kind: z.enum(['secret', 'api_key']),
  name: z.string(),
  sealed: z.boolean(),
  value: z.string(),
})
const Stored = z.object({ version: z.literal(1), entries: z.array(Entry) })
type Entry = z.infer<typeof Entry>

const NAME = /^[A-Za-z][\w.-]{0,63}$/

/** Named secrets in a file that only its owner can read; sealed where the system can do it. */
export class SecretStore {
  readonly #file: string
  readonly #sealer: Sealer | null
  readonly #why: string
  #last: Promise<unknown> = Promise.resolve()

  constructor(file: string, sealer: Sealer | null = null) {
    this.#file = file
    this.#sealer = sealer?.isEncryptionAvailable() ? sealer : null
    this.#why = sealer?.weakness ?? 'There is no system keychain at hand.'
  }

  /** What the person should know about how safe this is; null when there is nothing to say. */
  get warning(): string | null {
    if (this.#sealer) return null
    return `${this.#why} Secrets and API keys are kept in ${this.#file}, readable by your user account only, but not encrypted.`
  }

  async list(kind: SecretKind): Promise<string[]> {
    return (await this.#read()).filter((entry) => entry.kind === kind).map(({ name }) => name)
  }

  async get(kind: SecretKind, name: string): Promise<string | null> {
    const entry = (await this.#read()).find((one) => one.kind === kind && one.name === name)
    return entry ? this.#open(entry) : null
  }

  /** All of a kind, to be given to a task. */
  async all(kind: SecretKind): Promise<[name: string, value: string][]> {
    const entries = (await this.#read()).filter((entry) => entry.kind === kind)
    return entries.map((entry): [string, string] => [entry.name, this.#open(entry)])
  }

  async set(kind: SecretKind, name: string, value: string): Promise<void> {
    if (!NAME.test(name))
      throw new GodHandError('bad_request', `“${name}” cannot be the name of a secret.`, {
        hint: 'Use letters, digits, dots, dashes and underscores, beginning with a letter.',
      })
    if (value.length < SHORTEST_SECRET)
      throw new GodHandError('bad_request', `A secret has at least ${SHORTEST_SECRET} characters.`, {
        hint: 'Shorter ones could not be kept out of logs and traces without tearing holes into them.',
      })
    const sealed = this.#sealer?.encryptString(value).toString('base64')
    const entry: Entry = { kind, name, sealed: sealed !== undefined, value: sealed ?? value }
    await this.#change((entries) => [...entries.filter((one) => one.kind !== kind || one.name !== name), entry])
  }

  async remove(kind: SecretKind, name: string): Promise<void> {
    await this.#change((entries) => entries.filter((one) => one.kind !== kind || one.name !== name))
  }

  #open({ name, sealed, value }: Entry): string {
    if (!sealed) return value
    if (!this.#sealer)
      throw new GodHandError(
        'unsupported',
        `The secret “${name}” is sealed by the system's keychain, which is not at hand.`,
        {
          hint: 'Open GodHand as the desktop app, or give the secret again.',
        },
      )
    try {
      return this.#sealer.decryptString(Buffer.from(value, 'base64'))
    } catch (cause) {
      throw new GodHandError('corrupt', `The secret “${name}” cannot be opened any more.`, {
        hint: 'Give it again.',
        cause,
      })
    }
  }

  async #read(): Promise<Entry[]> {
    let text: string
    try {
      text = await fs.readFile(this.#file, 'utf8')
    } catch (thrown) {
      if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return []
      throw GodHandError.from(thrown)
    }
    try {
      return Stored.parse(JSON.parse(text)).entries
    } catch (cause) {
      throw new GodHandError('corrupt', `The file of secrets cannot be read: ${this.#file}`, {
        hint: 'Move it away and give the secrets again.',
        cause,
      })
    }
  }

  /** Changes take turns, and the file is whole at any moment. */
  #change(change: (entries: Entry[]) => Entry[]): Promise<void> {
    const work = this.#last.then(async () => {
      const stored: z.infer<typeof Stored> = { version: 1, entries: change(await this.#read()) }
      const temporary = `${this.#file}.new`
      try {
        await fs.mkdir(path.dirname(this.#file), { recursive: true })
        await fs.rm(temporary, { force: true })
        await fs.writeFile(temporary, JSON.stringify(stored), { mode: 0o600, flag: 'wx' })
        await fs.rename(temporary, this.#file)
      } catch (thrown) {
        throw GodHandError.from(thrown)
      }
    })
    this.#last = work.catch(() => {})
    return work
  }
}
