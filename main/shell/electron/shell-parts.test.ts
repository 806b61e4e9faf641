import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { sampleTask, temporaryFolder } from '../../trace/testing/samples.ts'
import { readKept, writeKept } from './kept.ts'
import { wishIn } from './launch-arguments.ts'
import { menuTemplate } from './menu.ts'
import { quitAnswer, quitQuestion } from './quit.ts'
import { aMachine } from './testing/work.ts'
import { trayTemplate, trayText } from './tray-menu.ts'
import { afterEvent, idleMachines, noWork, workOf } from './work.ts'

const running = sampleTask({ id: 'task_1', goal: 'Write a letter', state: 'running' })
const over = sampleTask({ id: 'task_2', state: 'succeeded' })

describe('what is going on', () => {
  it('is the tasks under way and the machines that live', () => {
    const work = workOf([running, over], [aMachine(), aMachine({ id: 'vm_2', state: { kind: 'dead', reason: null } })])
    expect([...work.tasks.keys()]).toEqual(['task_1'])
    expect([...work.machines.keys()]).toEqual(['vm_1'])
  })

  it('follows the engine’s events', () => {
    const began = afterEvent(noWork, { type: 'task', task: running })
    expect(began.tasks.size).toBe(1)
    expect(afterEvent(began, { type: 'task', task: { ...running, state: 'failed' } }).tasks.size).toBe(0)
    const machine = aMachine()
    const lives = afterEvent(noWork, { type: 'machine', machine })
    expect(lives.machines.size).toBe(1)
    const dead = { ...machine, state: { kind: 'dead' as const, reason: null } }
    expect(afterEvent(lives, { type: 'machine', machine: dead }).machines.size).toBe(0)
    expect(afterEvent(lives, { type: 'activity', taskId: 'task_1', phase: 'acting', text: '' })).toBe(lives)
  })

  it('leaves machines idle that run for no task under way', () => {
    const machines = [
      aMachine({ id: 'own' }),
      aMachine({ id: 'kept', taskId: 'task_2' }),
      aMachine({ id: 'busy', taskId: 'task_1' }),
      aMachine({ id: 'still', state: { kind: 'paused' } }),
    ]
    expect(idleMachines(workOf([running, over], machines)).map(({ id }) => id)).toEqual(['own', 'kept'])
  })
})

describe('the question before quitting', () => {
  it('is not asked when nothing runs, nor about an engine that works on without the window', () => {
    expect(quitQuestion(noWork, true)).toBeNull()
    expect(quitQuestion(workOf([running], [aMachine()]), false)).toBeNull()
  })

  it('names tasks first, then machines, and changes nothing unless told to', () => {
    const busy = quitQuestion(workOf([running], [aMachine()]), true)
    expect(busy?.message).toBe('1 task is still working.')
    expect(quitAnswer(busy?.defaultId ?? 0)).toBe('cancel')
    expect(quitAnswer(busy?.cancelId ?? 0)).toBe('cancel')
    expect(quitQuestion(workOf([], [aMachine(), aMachine({ id: 'b' })]), true)?.message).toBe(
      '2 machines are still running.',
    )
    expect([0, 1, 2, 9].map(quitAnswer)).toEqual(['quit', 'background', 'cancel', 'cancel'])
  })
})

describe('the tray', () => {
  it('says in one line what goes on', () => {
    expect(trayText(noWork)).toBe('Nothing is running')
    const asking = sampleTask({ id: 'task_3', state: 'running', waitingFor: { kind: 'question', text: 'Which?' } })
    expect(trayText(workOf([running, asking], [aMachine()]))).toBe(
      '1 task needs you, 1 task working, 1 machine running',
    )
  })

  it('stops a task by its goal, or all of them', () => {
    const stopped: string[][] = []
    const tasks = Array.from({ length: 7 }, (_, n) =>
      sampleTask({ id: `task_${n}`, goal: `Goal ${n}`, state: 'running' }),
    )
    const menu = trayTemplate(workOf(tasks, []), { open() {}, stop: (ids) => stopped.push(ids), quit() {} })
    const press = (label: string) => {
      const item = menu.find((one) => one.label === label)
      // biome-ignore lint/suspicious/noExplicitAny: Electron hands over more than these items look at
      item?.click?.({} as any, undefined, {} as any)
    }
    press('Stop “Goal 3”')
    press('Stop all tasks')
    expect(stopped).toEqual([['task_3'], tasks.map(({ id }) => id)])
    expect(menu.filter(({ label }) => label?.startsWith('Stop “'))).toHaveLength(5)
  })
})

describe('the menu', () => {
  const actions = { go() {}, openTrace() {}, showLogs() {}, aboutUpdates() {}, suspendInBackground() {} }
  const flat = (platform: NodeJS.Platform) =>
    menuTemplate(platform, { suspendInBackground: true }, actions).flatMap((menu) =>
      Array.isArray(menu.submenu) ? menu.submenu : [menu],
    )

  it('gives no shortcut away twice', () => {
    const keys = flat('linux').flatMap(({ accelerator }) => (accelerator ? [String(accelerator)] : []))
    expect(keys.length).toBeGreaterThan(5)
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('quits from the file menu, but from the app’s own on a Mac', () => {
    expect(flat('linux').some(({ role }) => role === 'quit')).toBe(true)
    expect(flat('darwin').some(({ role }) => role === 'quit')).toBe(false)
    expect(flat('darwin')[0]?.role).toBe('appMenu')
  })

  it('shows whether machines pause in the background', () => {
    expect(flat('linux').find(({ type }) => type === 'checkbox')?.checked).toBe(true)
  })
})

describe('what the window keeps', () => {
  it('comes back as it was', () => {
    const file = path.join(temporaryFolder(), 'window.json')
    const kept = {
      place: { bounds: { x: 1, y: 2, width: 1000, height: 700 }, maximized: true },
      suspendInBackground: true,
    }
    writeKept(file, kept)
    expect(readKept(file)).toEqual(kept)
  })

  it('is forgotten in part when a part of it makes no sense, and never stops a start', () => {
    const file = path.join(temporaryFolder(), 'window.json')
    expect(readKept(file)).toEqual({ place: null, suspendInBackground: false })
    writeFileSync(file, '{"place":{"bounds":{"x":"left"}},"suspendInBackground":true}')
    expect(readKept(file)).toEqual({ place: null, suspendInBackground: true })
    writeFileSync(file, 'not json')
    expect(readKept(file).place).toBeNull()
    writeKept(path.join(file, 'below-a-file'), readKept(file))
  })
})

describe('the command line of the program', () => {
  it('can carry a link or a trace, wherever they stand', () => {
    expect(wishIn(['godhand', '--flag', 'godhand://run?goal=x'], '/')).toEqual({
      kind: 'link',
      link: 'godhand://run?goal=x',
    })
    expect(wishIn(['electron', 'dist/electron.js', 'a.ghtrace'], '/home/me')).toEqual({
      kind: 'trace',
      file: path.resolve('/home/me', 'a.ghtrace'),
    })
  })

  it('is nothing otherwise, not even when the program itself is called like a trace', () => {
    expect(wishIn(['/opt/x.ghtrace'], '/')).toBeNull()
    expect(wishIn(['godhand', '--open=a.ghtrace', 'letter.txt'], '/')).toBeNull()
  })
})
