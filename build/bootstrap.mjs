// From a bare clone to a runtime that can run the rest. Plain JavaScript without packages: it must work on Node 20
// before anything is installed.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import module from 'node:module'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { progressBar } from '../main/shell/progress-bar.mjs'

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

const modules = path.join(root, 'node_modules')
const lockFile = path.join(root, 'package-lock.json')
/** Says for which package-lock.json the packages were installed. `npm ci` removes it with everything else first. */
const stampFile = path.join(modules, '.godhand-installed')
const compiled = path.join(modules, '.cache', 'compiled')
const ownNode = path.join(modules, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')

const OLDEST_FOR_BOOTSTRAP = 20
/** The first that runs TypeScript as it stands and knows import.meta.main. */
const OLDEST_RUNTIME = [24, 2]

class BootstrapError extends Error {
  constructor(message, hint, exitCode = 1) {
    super(message)
    this.hint = hint
    this.exitCode = exitCode
  }
}

/** Installs packages where needed, then runs main(args) of a TypeScript file on a Node that can. Ends the process. */
export async function bootstrapAndRun(script, args) {
  try {
    if (Number(process.versions.node.split('.')[0]) < OLDEST_FOR_BOOTSTRAP)
      throw new BootstrapError(
        `GodHand needs Node ${OLDEST_FOR_BOOTSTRAP} or newer; this is ${process.versions.node}.`,
        'Install a newer one from https://nodejs.org and run this again.',
      )
    if (!isInstalled()) await installPackages()
    await handOver(path.join(root, script), args)
  } catch (error) {
    if (!(error instanceof BootstrapError)) throw error
    process.stderr.write(`godhand: ${error.message}\n${error.hint ? `  ${error.hint}\n` : ''}`)
    process.exit(error.exitCode)
  }
}

function lockHash() {
  return createHash('sha256').update(readFileSync(lockFile)).digest('hex')
}

function isInstalled() {
  if (readOr(stampFile, '') === lockHash()) return existsSync(path.join(modules, '.package-lock.json'))
  if (!matchesLock()) return false
  writeFileSync(stampFile, lockHash()) // someone ran npm by hand, and rightly
  return true
}

/** npm writes node_modules/.package-lock.json last of all, so it tells what is really there. */
export function matchesLock(
  lockText = readOr(lockFile, ''),
  installedText = readOr(path.join(modules, '.package-lock.json'), ''),
) {
  if (installedText === '') return false
  const wanted = JSON.parse(lockText).packages
  const installed = JSON.parse(installedText).packages
  return Object.entries(wanted).every(([place, entry]) => {
    if (place === '' || entry.link) return true
    if (!installed[place]) return Boolean(entry.optional) // made for another platform
    return installed[place].version === entry.version
  })
}

async function installPackages() {
  const places = Object.entries(JSON.parse(readFileSync(lockFile, 'utf8')).packages)
    .filter(([place, entry]) => place !== '' && !entry.optional)
    .map(([place]) => path.join(root, place, 'package.json'))
  const bar = progressBar()
  const report = () => {
    const done = places.filter((place) => existsSync(place)).length
    bar.report({ step: 'Installing packages', done: Math.min(done, places.length - 1), total: places.length })
  }
  rmSync(stampFile, { force: true })
  bar.report({ step: 'Installing packages', done: 0, total: places.length })
  const timer = setInterval(report, 400)
  const { code, errors } = await installByNpm()
  clearInterval(timer)
  if (code !== 0) {
    bar.clear()
    if (code === 130) throw new BootstrapError('Stopped. Run it again to go on.', '', 130)
    throw new BootstrapError(
      `Packages could not be installed:\n${errors.trim()}`,
      `Once that is mended, run this again (or \`npm ci\` in ${root}).`,
    )
  }
  bar.done()
  writeFileSync(stampFile, lockHash())
}

const NPM_OPTIONS = ['--no-audit', '--no-fund', '--loglevel=error']
/** No package's own script runs, so none can need a compiler or fetch what it likes: all but one bring their binaries. */
const INSTALL_OPTIONS = [...NPM_OPTIONS, '--ignore-scripts', '--include=dev', '--include=optional']

/**
 * `npm ci` refuses a lock file that lacks a platform's optional package, be it only because a registry does not carry
 * that. `npm install` leaves such a package out, and takes the versions of the lock file just the same.
 */
async function installByNpm() {
  let result = await runNpm(['ci', ...INSTALL_OPTIONS])
  if (result.code !== 0 && result.code !== 130 && result.errors.includes('EUSAGE')) {
    rmSync(modules, { recursive: true, force: true }) // as `npm ci` does: what an interrupted run left is not trusted
    result = await runNpm(['install', '--no-save', ...INSTALL_OPTIONS])
  }
  if (result.code !== 0) return result
  const runtime = await runNpm(['rebuild', 'node', '--ignore-scripts=false', ...NPM_OPTIONS])
  return isNewEnough(process.versions.node) && runtime.code !== 130 ? result : runtime
}

function runNpm(args) {
  const npmScript = /npm-cli\.c?js$/.test(process.env.npm_execpath ?? '') ? process.env.npm_execpath : undefined
  const [command, ...rest] = npmScript ? [process.execPath, npmScript, ...args] : ['npm', ...args]
  return new Promise((resolve, reject) => {
    const child = spawn(command, rest, {
      cwd: root,
      stdio: ['ignore', 'ignore', 'pipe'],
      shell: !npmScript && process.platform === 'win32',
    })
    let errors = ''
    child.stderr.on('data', (text) => {
      errors = (errors + text).slice(0, 4000)
    })
    let stopped = false
    const unforward = forwardSignals(child, () => {
      stopped = true
      // npm takes its time to undo what it did; the next run begins anew in any case.
      setTimeout(() => child.kill('SIGKILL'), 2000).unref()
    })
    child.once('error', () =>
      reject(new BootstrapError('npm was not found.', 'Install Node together with npm and run this again.')),
    )
    child.once('close', (code, signal) => {
      unforward()
      resolve({ code: stopped || signal ? 130 : code, errors })
    })
  })
}

function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number)
  return major > OLDEST_RUNTIME[0] || (major === OLDEST_RUNTIME[0] && minor >= OLDEST_RUNTIME[1])
}

/** A Node new enough for the rest: the one running, else the one npm brought. */
async function handOver(script, args) {
  if (isNewEnough(process.versions.node)) {
    // Reading and compiling the sources is most of a start; what it gave is kept for the next one.
    module.enableCompileCache?.(compiled)
    const { main } = await import(pathToFileURL(script).href)
    return await main(args)
  }
  if (!existsSync(ownNode))
    throw new BootstrapError(
      'The Node that comes with the packages is missing: its install script did not run.',
      'Run: npm rebuild node --ignore-scripts=false',
    )
  const env = { ...process.env, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? compiled }
  const child = spawn(ownNode, [script, ...args], { stdio: 'inherit', env })
  forwardSignals(child)
  const exitCode = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 1)))
  })
  process.exit(exitCode)
}

function forwardSignals(child, onSignal = () => {}) {
  const handlers = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => [
    signal,
    () => {
      child.kill(signal)
      onSignal()
    },
  ])
  for (const [signal, handler] of handlers) process.on(signal, handler)
  return () => {
    for (const [signal, handler] of handlers) process.off(signal, handler)
  }
}

function readOr(file, otherwise) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return otherwise
  }
}
