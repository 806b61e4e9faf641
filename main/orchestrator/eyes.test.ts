import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { decodePng } from '../screen/frames.ts'
import { openTestEngine, type TestEngine } from './testing.ts'

let test: TestEngine
let machineId: string

beforeEach(async () => {
  test = await openTestEngine((argv) => ({
    exitCode: argv.includes('false') ? 1 : 0,
    stdout: '',
    stderr: '',
    truncated: false,
  }))
  machineId = (await test.engine.call('vm.create', {})).id
})
afterEach(() => test.close())

const press = (chord: string, settle = false) =>
  test.engine.call('vm.act', { machineId, action: { type: 'key', chord }, settle })

describe('a live machine, asked from outside', () => {
  it('says after an action how long it took to come to rest and where it changed', async () => {
    const { settle } = await press('a', true)
    expect(settle).toMatchObject({ changed: true, settled: true })
    expect(settle?.tookMs).toBeGreaterThan(0)
    expect(settle?.boxes.length).toBeGreaterThan(0)
  })

  it('answers when the screen changes, and not before', async () => {
    const { frame } = await test.engine.call('vm.screenshot', { machineId })
    let answered = false
    const waiting = test.engine.call('vm.change', { machineId, since: frame, timeoutSeconds: 30 }).finally(() => {
      answered = true
    })
    await test.engine.call('vm.check', { machineId, assertion: { check: 'command', argv: ['true'] } })
    expect(answered).toBe(false)
    await press('a')
    const news = await waiting
    expect(news).toMatchObject({ changed: true })
    expect(news.boxes.length).toBeGreaterThan(0)
    expect(news.frame).not.toBe(frame)
    expect(await test.engine.framePng(news.frame)).not.toBeNull()
  })

  it('says so when nothing changes in time', async () => {
    const news = await test.engine.call('vm.change', { machineId, timeoutSeconds: 0.2 })
    expect(news).toMatchObject({ changed: false, boxes: [] })
  })

  it('judges a statement with evidence', async () => {
    const check = (argv: string[]) =>
      test.engine.call('vm.check', { machineId, assertion: { check: 'command', argv }, timeoutSeconds: 0.1 })
    expect(await check(['true'])).toMatchObject({ pass: true, evidence: { exitCode: 0 } })
    expect(await check(['false'])).toMatchObject({ pass: false, evidence: { exitCode: 1 } })
  })

  it('shows a part of the screen enlarged by whole pixels', async () => {
    const region = { x: 600, y: 380, width: 100, height: 50 }
    expect(await test.engine.call('vm.zoom', { machineId, region })).toMatchObject({ width: 1200, height: 600 })
  })

  it('compares two frames in one picture, and refuses one it does not know', async () => {
    const { frame: before } = await test.engine.call('vm.screenshot', { machineId })
    await press('a')
    const { frame: after } = await test.engine.call('vm.screenshot', { machineId })
    const { frame } = await test.engine.call('frame.compare', { before, after })
    const picture = await decodePng((await test.engine.framePng(frame)) ?? Buffer.alloc(0))
    expect(picture.width).toBeGreaterThan(3 * 1280)
    const nobody = test.engine.call('frame.compare', { before, after: 'f'.repeat(64) })
    await expect(nobody).rejects.toMatchObject({ code: 'not_found' })
  })

  it('tells what changed since a snapshot', async () => {
    const { id: since } = await test.engine.call('vm.snapshot', { machineId })
    await press('a')
    const { diff } = await test.engine.call('vm.diff', { machineId, since })
    expect(diff.screen.boxes.length).toBeGreaterThan(0)
  })
})
