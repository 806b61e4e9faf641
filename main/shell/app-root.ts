import { existsSync } from 'node:fs'
import path from 'node:path'

/** The folder with package.json: two up from here in the sources, one up when bundled into dist/. */
export function appRoot(): string {
  let folder = import.meta.dirname
  while (!existsSync(path.join(folder, 'package.json'))) {
    const parent = path.dirname(folder)
    if (parent === folder) throw new Error(`no package.json above ${import.meta.dirname}`)
    folder = parent
  }
  return folder
}

/** The page as the UI build writes it. */
export const uiFolder = () => path.join(appRoot(), 'dist', 'app')
