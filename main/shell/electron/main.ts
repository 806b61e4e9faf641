import { app } from 'electron'
import { currentPaths } from '../../paths.ts'
import { withBundledAssets } from './bundled-assets.ts'
import { runProgram } from './program.ts'

/** The program behind the window. Only this folder knows Electron. */
const paths = currentPaths()
runProgram(app.isPackaged ? withBundledAssets(paths, process.resourcesPath) : paths)
