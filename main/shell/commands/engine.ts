import { currentPaths } from '../../paths.ts'
import { withEngine } from '../command-context.ts'
import { connectEngine, stopEngine } from '../engine-client.ts'
import { exitCodes } from '../exit-codes.ts'
import { findEngine } from '../find-engine.ts'
import { hasDisplay, openBrowser } from '../open-browser.ts'
import type { Output } from '../output.ts'

export async function open(options: { browser: boolean }, output: Output): Promise<number> {
  const url = await withEngine(output, { machines: true }, ({ engine }) => engine.newLink())
  const opened = options.browser && !output.json && hasDisplay() && (await openBrowser(url))
  output.answer({ url }, opened ? `Opened ${url}` : url)
  return exitCodes.ok
}

export async function stop(output: Output): Promise<number> {
  const paths = currentPaths()
  const engine = await findEngine(paths)
  if (!engine) {
    output.answer({ stopped: false, pid: null }, 'No engine is running.')
    return exitCodes.ok
  }
  await stopEngine(await connectEngine({ paths, machines: false }))
  output.answer({ stopped: true, pid: engine.pid }, `The engine (process ${engine.pid}) has left.`)
  return exitCodes.ok
}
