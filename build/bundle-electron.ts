import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Plugin } from 'esbuild'
import { root } from './root.ts'

const WORKER = /new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)/g

/**
 * Electron's main process as one file, and its workers beside it: Electron itself does not run TypeScript. Packages and
 * everything that is not code stay where they are, so the bundle must still find them from the sources' own folders.
 */
export async function bundleElectron(): Promise<string> {
  const { build } = await import('esbuild')
  const outdir = path.join(root, 'dist')
  await build({
    entryPoints: {
      electron: path.join(root, 'main', 'shell', 'electron', 'main.ts'),
      ...Object.fromEntries(workers().map((file) => [`workers/${path.basename(file, '.ts')}`, path.join(root, file)])),
    },
    outdir,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    packages: 'external',
    sourcemap: true,
    logLevel: 'error',
    plugins: [keepFolders],
  })
  return path.join(outdir, 'electron.js')
}

const workers = () => globSync('{main,vm}/**/*-worker.ts', { cwd: root })

/** Folders named by import.meta keep meaning the source's folder, counted from the project's; workers their bundle. */
const keepFolders: Plugin = {
  name: 'keep-folders',
  setup(build) {
    build.onLoad({ filter: /\.ts$/ }, async ({ path: file }) => {
      const text = await readFile(file, 'utf8')
      const up = file.endsWith('-worker.ts') ? '../..' : '..'
      const folder = JSON.stringify(`${up}/${path.relative(root, path.dirname(file)).split(path.sep).join('/')}`)
      return {
        loader: 'ts',
        contents: text
          .replace(WORKER, "new URL('./workers/$1.js', import.meta.url)")
          .replaceAll(
            'import.meta.dirname',
            `process.getBuiltinModule('node:path').join(import.meta.dirname, ${folder})`,
          ),
      }
    })
  },
}
