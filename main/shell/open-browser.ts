import { spawn } from 'node:child_process'

/** Whether the person sits in front of a screen a browser could show itself on. */
export function hasDisplay(env: NodeJS.ProcessEnv = process.env): boolean {
  if (env.GODHAND_NO_BROWSER || env.CI) return false
  if (process.platform === 'darwin' || process.platform === 'win32') return !env.SSH_CONNECTION
  return Boolean(env.DISPLAY || env.WAYLAND_DISPLAY)
}

/** True when the system's opener took the link. */
export async function openBrowser(url: string): Promise<boolean> {
  const [command, ...args] =
    process.platform === 'darwin'
      ? ['open', url]
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', url]
        : ['xdg-open', url]
  if (!command) return false
  return await new Promise((resolve) => {
    const opener = spawn(command, args, { stdio: 'ignore', detached: true })
    opener.once('error', () => resolve(false))
    opener.once('spawn', () => {
      opener.unref()
      resolve(true)
    })
  })
}
