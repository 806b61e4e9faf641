import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { BenchmarkRun } from '../contract/benchmark.ts'

/** Finished runs, a folder each: benchmarks/<id>/run.json. They are few, so all are read. */
export class BenchmarkRuns {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  folderOf(id: string): string {
    return path.join(this.#folder, id)
  }

  /** The newest first. What can't be read, of another version say, is left alone and not shown. */
  list(): BenchmarkRun[] {
    const runs = names(this.#folder).flatMap((name) => {
      const run = BenchmarkRun.safeParse(readJson(path.join(this.#folder, name, 'run.json')))
      return run.success && run.data.id === name ? [run.data] : []
    })
    return runs.sort((a, b) => b.startedAt.localeCompare(a.startedAt))
  }

  save(run: BenchmarkRun): void {
    const folder = this.folderOf(run.id)
    mkdirSync(folder, { recursive: true })
    writeFileSync(path.join(folder, 'run.json.new'), JSON.stringify(run))
    renameSync(path.join(folder, 'run.json.new'), path.join(folder, 'run.json'))
  }

  remove(id: string): void {
    rmSync(this.folderOf(id), { recursive: true, force: true })
  }
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}
