import { parseArgs } from 'node:util'
import type { EngineServer } from '../api/server.ts'
import { GodHandError } from '../contract/errors.ts'
import { currentPaths } from '../paths.ts'
import { findEngine } from './find-engine.ts'
import { leaveOnSignal } from './leave-on-signal.ts'
import { hasDisplay, openBrowser } from './open-browser.ts'
import { portFrom } from './port.ts'
import { printError } from './print-error.ts'
import { serve } from './serve.ts'

/** Serves the app to an ordinary browser: for servers, and wherever the Electron binary is not at hand. */
export async function runBrowserShell(args: string[]): Promise<void> {
  const paths = currentPaths()
  try {
    const { values } = parseArgs({ args, options: { port: { type: 'string' }, 'no-open': { type: 'boolean' } } })
    const onDoorsOpen = (server: EngineServer) => {
      const link = server.newLink()
      process.stdout.write(
        `GodHand opens here: ${link}\n(The link opens one browser, once. \`npx godhand open\` makes another. Ctrl-C ends GodHand.)\n`,
      )
      if (!values['no-open'] && hasDisplay()) void openBrowser(link)
    }
    const served = await serve({ paths, port: portFrom(values.port), onDoorsOpen })
    leaveOnSignal(served, () => process.stderr.write('\nLeaving: machines are being ended.\n'))
    await served.ended
    process.exit(0)
  } catch (thrown) {
    printError(await withLink(GodHandError.from(thrown)))
    process.exit(1)
  }

  /** Who starts a second engine wants to see the first one. */
  async function withLink(error: GodHandError): Promise<GodHandError> {
    const link = error.code === 'engine_running' ? await (await findEngine(paths))?.newLink().catch(() => null) : null
    if (!link) return error
    return new GodHandError(error.code, error.message, { ...error, hint: `Open it here: ${link}\n${error.hint ?? ''}` })
  }
}

if (import.meta.main) await runBrowserShell(process.argv.slice(2))
