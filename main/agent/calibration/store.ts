import fs from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { GodHandError } from '../../contract/errors.ts'
import { Calibration } from '../../contract/model.ts'
import { apiRoot } from '../planners/local/api-root.ts'

const Stored = z.record(z.string(), Calibration)

/** Calibrations by model, server, format and size of the screen, in one JSON file. */
export class CalibrationStore {
  readonly #file: string

  constructor(file: string) {
    this.#file = file
  }

  async get(which: Which): Promise<Calibration | null> {
    return (await this.#read())[keyOf(which)] ?? null
  }

  async all(): Promise<Calibration[]> {
    return Object.values(await this.#read())
  }

  /** On screens of every size. */
  async of({ model, server, format }: Omit<Which, 'screen'>): Promise<Calibration[]> {
    const all = await this.all()
    return all.filter((one) => one.model === model && apiRoot(one.server) === apiRoot(server) && one.format === format)
  }

  async put(calibration: Calibration): Promise<void> {
    const all = { ...(await this.#read()), [keyOf(calibration)]: calibration }
    const temporary = `${this.#file}.new`
    try {
      await fs.mkdir(path.dirname(this.#file), { recursive: true })
      await fs.writeFile(temporary, JSON.stringify(all, null, 1))
      await fs.rename(temporary, this.#file)
    } catch (thrown) {
      throw GodHandError.from(thrown)
    }
  }

  /** What cannot be read is made anew: it only costs a minute. */
  async #read(): Promise<z.infer<typeof Stored>> {
    try {
      return Stored.parse(JSON.parse(await fs.readFile(this.#file, 'utf8')))
    } catch {
      return {}
    }
  }
}

type Which = Pick<Calibration, 'model' | 'server' | 'format' | 'screen'>

function keyOf({ model, server, format, screen }: Which): string {
  return JSON.stringify([apiRoot(server), model, format, screen.width, screen.height])
}
