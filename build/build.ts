import { progressBar } from '../main/shell/progress-bar.mjs'
import { buildUi } from './build-ui.ts'
import { bundleElectron } from './bundle-electron.ts'

/** npm run build: the page and the window's program, as an installer needs them. */
const bar = progressBar()
await buildUi(bar.report).finally(bar.done)
await bundleElectron()
