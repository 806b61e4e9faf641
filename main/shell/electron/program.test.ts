import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type FakeEngine, fakeEngine } from '../../api/testing/fake-engine.ts'
import { connect } from '../../contract/client.ts'
import { GodHandError } from '../../contract/errors.ts'
import { type Paths, pathsIn } from '../../paths.ts'
import { sampleTask } from '../../trace/testing/samples.ts'
import { findEngine } from '../find-engine.ts'
import { type Served, serve } from '../serve.ts'
import { runProgram } from './program.ts'
import {
  app,
  dialog,
  Menu,
  type MenuItem,
  powerMonitor,
  preventable,
  session,
  shell,
  startAnew,
  trays,
  windows,
} from './testing/electron-stand-in.ts'
import { aMachine } from './testing/work.ts'

vi.mock('electron', () => import('./testing/electron-stand-in.ts'))

let paths: Paths
let engine: FakeEngine
let called: [method: string, input: unknown][]
const others: Served[] = []
/** Facts are waited for as long as a busy host may take. */
const eventually = (holds: () => void) => vi.waitFor(holds, { timeout: 15_000 })
/** What the program does on a signal, caught here so that no test listens on for the next. */
let onSignal: Map<string | symbol, () => void>

beforeEach(() => {
  startAnew()
  onSignal = new Map()
  vi.spyOn(process, 'on').mockImplementation((name, listener) => {
    if (String(name).startsWith('SIG')) onSignal.set(name, () => listener(name))
    return process
  })
  paths = pathsIn(mkdtempSync(path.join(tmpdir(), 'gh-window-')))
  called = []
  const noted = <T>(method: string, input: unknown, answer: T): T => {
    called.push([method, input])
    return answer
  }
  engine = fakeEngine({
    'vm.pause': (input) => noted('vm.pause', input, aMachine({ id: input.machineId, state: { kind: 'paused' } })),
    'vm.resume': (input) => noted('vm.resume', input, aMachine({ id: input.machineId })),
    'task.stop': (input) => noted('task.stop', input, sampleTask({ id: input.taskId, state: 'stopped' })),
    'task.run': (input) => noted('task.run', input, sampleTask()),
    'trace.import': ({ file }) => {
      called.push(['trace.import', file])
      if (file.endsWith('known.ghtrace'))
        throw new GodHandError('conflict', 'It is here already.', { details: { taskId: 'task_known' } })
      if (file.endsWith('bad.ghtrace'))
        throw new GodHandError('corrupt', 'A picture was changed.', { hint: 'Ask again.' })
      return sampleTask({ id: 'task_new' })
    },
  })
})

afterEach(async () => {
  app.emit('before-quit', { preventDefault() {} })
  powerMonitor.emit('shutdown')
  await eventually(() =>
    expect(engine.closed > 0 || app.exitCode !== null || others.length > 0 || !app.isFirst).toBe(true),
  )
  for (const served of others.splice(0)) await served.close('test over')
  vi.restoreAllMocks()
  rmSync(paths.home, { recursive: true, force: true })
})

/** The program as Electron runs it, up to its first window. */
async function start(argv: string[] = []) {
  const real = process.argv
  process.argv = ['godhand', ...argv]
  runProgram(paths, { port: 0, openEngine: async () => engine })
  process.argv = real
  await eventually(() => expect(windows.length > 0 && windows[0]?.listenerCount('hide')).toBeTruthy())
  await eventually(() => expect(engine.listeners()).toBeGreaterThan(0))
}

const window = () => {
  const [first] = windows
  if (!first) throw new Error('there is no window')
  return first
}
const shown = () => {
  const { pathname, search } = new URL(window().loaded.at(-1) ?? '')
  return pathname + search
}
const find = (items: MenuItem[], label: string): MenuItem | undefined =>
  items
    .flatMap((item) => [item, ...(Array.isArray(item.submenu) ? item.submenu : [])])
    .find((item) => item.label === label)
const busyWith = async (goal: string, told = '1 machine') => {
  engine.tell({ type: 'task', task: sampleTask({ id: 'task_1', goal, state: 'running' }) })
  engine.tell({ type: 'machine', machine: aMachine({ taskId: 'task_1' }) })
  await eventually(() => expect(trays[0]?.tip).toContain(told))
}

describe('the window', () => {
  it('opens the page by a one-time link, isolated and without Node', async () => {
    await start()
    expect(window().loaded[0]).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?code=/)
    expect(window().options.webPreferences).toEqual({
      contextIsolation: true,
      nodeIntegration: false,
      sandbox: true,
      webSecurity: true,
    })
    expect(window().options).not.toHaveProperty('webPreferences.preload')
  })

  it('never leaves the engine’s address: what leads out opens in the person’s browser', async () => {
    await start()
    const { origin } = new URL(window().loaded[0] ?? '')
    const tries = (event: string, url: string) => {
      const tried = preventable()
      window().webContents.emit(event, tried, url)
      return tried.prevented
    }
    expect(tries('will-navigate', 'https://example.org/')).toBe(true)
    expect(tries('will-redirect', 'file:///etc/passwd')).toBe(true)
    expect(tries('will-attach-webview', '')).toBe(true)
    expect(tries('will-navigate', `${origin}/library`)).toBe(false)
    expect(window().openHandler({ url: 'https://example.org/' })).toEqual({ action: 'deny' })
    expect(window().openHandler({ url: 'file:///etc/passwd' })).toEqual({ action: 'deny' })
    expect(shell.opened).toEqual(['https://example.org/'])
  })

  it('lets the page have few things of the system', async () => {
    await start()
    const asked = (permission: string) => {
      const answers: boolean[] = []
      session.defaultSession.request(null, permission, (yes) => answers.push(yes))
      return answers[0]
    }
    expect(['fullscreen', 'notifications', 'clipboard-read'].map(asked)).toEqual([true, true, true])
    expect(['media', 'geolocation', 'usb', 'openExternal'].map(asked)).toEqual([false, false, false, false])
  })

  it('comes back where it was', async () => {
    await start()
    window().maximized = true
    window().bounds = { x: 200, y: 150, width: 1100, height: 720 }
    app.quit()
    await eventually(() => expect(app.gone).toBe(true))
    startAnew()
    engine = fakeEngine()
    await start()
    expect(window().options).toMatchObject({ x: 200, y: 150, width: 1100, height: 720 })
    expect(window().maximized).toBe(true)
  })

  it('is there once: a second start shows the first one’s and brings its wish along', async () => {
    await start()
    window().minimize()
    app.emit('second-instance', {}, ['godhand', 'godhand://task?id=task_7'], '/')
    expect(window().minimized).toBe(false)
    await eventually(() => expect(shown()).toBe('/tasks/task_7'))
    expect(windows).toHaveLength(1)
  })

  it('shows the engine that already runs on this folder instead of starting another', async () => {
    others.push(await serve({ paths, port: 0, openEngine: async () => engine }))
    const openEngine = vi.fn(async () => engine)
    runProgram(paths, { port: 0, openEngine })
    await eventually(() => expect(windows).toHaveLength(1))
    expect(openEngine).not.toHaveBeenCalled()
    await eventually(() => expect(trays).toHaveLength(1))
    app.quit()
    await eventually(() => expect(app.gone).toBe(true))
    expect(engine.closed).toBe(0)
  })

  it('says why when the engine can’t start, and ends', async () => {
    runProgram(paths, {
      openEngine: async () => {
        throw new GodHandError('disk_full', 'The disk is full.', { hint: 'Free some space.' })
      },
    })
    await eventually(() => expect(app.exitCode).toBe(1))
    expect(dialog.errors).toEqual(['GodHand can’t start: The disk is full.\n\nFree some space.'])
  })
})

it('a second program leaves at once and touches nothing', () => {
  app.isFirst = false
  runProgram(paths, { openEngine: async () => engine })
  expect(app.quits).toBe(1)
  expect(windows).toHaveLength(0)
})

describe('a link or a trace from outside', () => {
  it('puts a goal before the person, and never runs it', async () => {
    await start(['godhand://run?goal=Delete%20everything'])
    await eventually(() => expect(shown()).toBe('/?goal=Delete%20everything'))
    app.emit('open-url', { preventDefault() {} }, 'godhand://run?goal=And%20more')
    await eventually(() => expect(shown()).toBe('/?goal=And%20more'))
    expect(called).toEqual([])
  })

  it('is refused in words when it asks for something else', async () => {
    await start()
    app.emit('open-url', { preventDefault() {} }, 'godhand://engine.shutdown')
    await eventually(() => expect(dialog.errors).toHaveLength(1))
    expect(window().loaded).toHaveLength(1)
  })

  it('opens a trace to look at, also one that is here already', async () => {
    await start([path.join(paths.home, 'a.ghtrace')])
    await eventually(() => expect(shown()).toBe('/tasks/task_new'))
    app.emit('open-file', { preventDefault() {} }, path.join(paths.home, 'known.ghtrace'))
    await eventually(() => expect(shown()).toBe('/tasks/task_known'))
    expect(called.map(([method]) => method)).toEqual(['trace.import', 'trace.import'])
  })

  it('says what is wrong with a trace that was tampered with', async () => {
    await start()
    app.emit('open-file', { preventDefault() {} }, path.join(paths.home, 'bad.ghtrace'))
    await eventually(() =>
      expect(dialog.errors).toEqual(['This trace can’t be opened: A picture was changed.\n\nAsk again.']),
    )
  })

  it('makes godhand:// ours only in an installed app', async () => {
    await start()
    expect(app.protocols).toEqual([])
    app.quit()
    await eventually(() => expect(app.gone).toBe(true))
    startAnew()
    app.isPackaged = true
    engine = fakeEngine()
    await start()
    expect(app.protocols).toEqual(['godhand'])
  })
})

describe('quitting', () => {
  it('happens at once when nothing runs, and the engine leaves first', async () => {
    await start()
    window().close()
    await eventually(() => expect(app.gone).toBe(true))
    expect(dialog.asked).toEqual([])
    expect(engine.closed).toBe(1)
    expect(await findEngine(paths)).toBeNull()
  })

  it('asks while machines run, and “cancel” changes nothing', async () => {
    await start()
    await busyWith('Write a letter')
    dialog.answer = 2
    app.quit()
    await eventually(() => expect(dialog.asked).toHaveLength(1))
    await new Promise(setImmediate) // the answer has arrived
    window().close()
    await eventually(() => expect(dialog.asked).toHaveLength(2))
    expect(windows).toHaveLength(1)
    expect(engine.closed).toBe(0)
  })

  it('can leave the work to the background, from where the tray brings the window back', async () => {
    await start()
    await busyWith('Write a letter')
    dialog.answer = 1
    window().close()
    await eventually(() => expect(window().visible).toBe(false))
    expect(engine.closed).toBe(0)
    find(trays[0]?.menu ?? [], 'Open GodHand')?.click?.({})
    expect(window().visible).toBe(true)
  })

  it('ends the work when told to', async () => {
    await start()
    await busyWith('Write a letter')
    dialog.answer = 0
    app.quit()
    await eventually(() => expect(app.gone).toBe(true))
    expect(engine.closed).toBe(1)
    expect(trays).toHaveLength(0)
  })

  it.each(['shutdown', 'SIGTERM'])('does not wait for an answer on %s', async (name) => {
    await start()
    await busyWith('Write a letter')
    if (name === 'shutdown') powerMonitor.emit('shutdown')
    else onSignal.get(name)?.()
    await eventually(() => expect(app.gone).toBe(true))
    expect(dialog.asked).toEqual([])
  })

  it('leaves in order when a signal comes while it is still starting', async () => {
    const opening = Promise.withResolvers<void>()
    runProgram(paths, {
      port: 0,
      openEngine: async () => {
        await opening.promise
        return engine
      },
    })
    onSignal.get('SIGTERM')?.()
    opening.resolve()
    await eventually(() => expect(app.gone).toBe(true))
    expect(engine.closed).toBe(1)
    expect(await findEngine(paths)).toBeNull()
  })

  it('follows when the engine is stopped by another door', async () => {
    await start()
    const running = await findEngine(paths)
    const client = connect({ url: running?.rpcUrl ?? '', token: running?.token ?? '', reconnect: false })
    await client.call('engine.shutdown', {})
    await eventually(() => expect(app.gone).toBe(true))
    client.close()
  })
})

describe('tray and background', () => {
  it('says what goes on and stops a task', async () => {
    await start()
    expect(trays[0]?.tip).toBe('GodHand: Nothing is running')
    await busyWith('Write a letter')
    expect(trays[0]?.tip).toBe('GodHand: 1 task working, 1 machine running')
    find(trays[0]?.menu ?? [], 'Stop “Write a letter”')?.click?.({})
    await eventually(() => expect(called).toEqual([['task.stop', { taskId: 'task_1' }]]))
  })

  it('pauses idle machines out of sight, by setting, and wakes the same ones again', async () => {
    await start()
    engine.tell({ type: 'machine', machine: aMachine({ id: 'vm_idle' }) })
    await busyWith('Write a letter', '2 machines')
    window().minimize()
    window().restore()
    expect(called).toEqual([])
    find(Menu.application, 'Pause idle machines in the background')?.click?.({ checked: true })
    window().minimize()
    await eventually(() => expect(called).toEqual([['vm.pause', { machineId: 'vm_idle' }]]))
    window().restore()
    await eventually(() => expect(called).toContainEqual(['vm.resume', { machineId: 'vm_idle' }]))
    expect(called).toHaveLength(2)
  })
})
