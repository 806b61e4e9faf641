import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { execa } from 'execa'
import { asRoot } from './namespace.ts'

/** Removes what interrupted builds left in the folder of images, and `alsoThis`. Builds still running are let be. */
export async function removeStaleBuilds(images: string, alsoThis?: string): Promise<void> {
  for (const name of await readdir(images)) {
    const pid = /^\.build-.*-(\d+)$/.exec(name)?.[1]
    if (pid === undefined) continue
    const folder = path.join(images, name)
    if (folder === alsoThis || !isRunning(Number(pid))) await removeTree(folder)
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Files made by a namespace's root belong to nobody we are outside of it, so it takes one to remove them. */
async function removeTree(folder: string): Promise<void> {
  try {
    // What was just killed may still be writing its last file.
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  } catch (error) {
    if (process.getuid?.() === 0) throw error
    const [command = '', ...args] = [...(await asRoot()), 'rm', '-rf', '--', folder]
    await execa(command, args)
  }
}
