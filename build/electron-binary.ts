import { existsSync } from 'node:fs'
import path from 'node:path'
import { root } from './root.ts'

const names: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'Electron.app/Contents/MacOS/Electron',
  win32: 'electron.exe',
}

export type ElectronChoice = { binary: string } | { binary: null; reason: string }

/** The window's program, or why there is none. Nothing is downloaded for it: the browser shows the same page. */
export function findElectron(env: NodeJS.ProcessEnv = process.env): ElectronChoice {
  const folder = env.ELECTRON_OVERRIDE_DIST_PATH || path.join(root, 'node_modules', 'electron', 'dist')
  const binary = path.join(folder, names[process.platform] ?? 'electron')
  if (!existsSync(binary))
    return { binary: null, reason: 'the Electron binary is not here (npx install-electron fetches it)' }
  if (process.platform === 'linux' && !env.DISPLAY && !env.WAYLAND_DISPLAY)
    return { binary: null, reason: 'there is no display for a window' }
  if (process.platform === 'linux' && process.getuid?.() === 0)
    return { binary: null, reason: 'Electron does not run as root' }
  return { binary }
}
