import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { GodHandError } from '../contract/errors.ts'
import { ChangeStream, changeStreamOf, type ScreenChange } from './capture.ts'
import { settle } from './settle.ts'
import { DrawnSandbox } from './testing/drawn-sandbox.ts'

describe('the change stream', () => {
  it('tells each watcher the screen as it is, and then every change once', async () => {
    const sandbox = new DrawnSandbox()
    const stream = new ChangeStream(sandbox, { activeMs: 5, idleMs: 20 })
    const stop = new AbortController()
    const seen: ScreenChange[] = []
    const watching = (async () => {
      for await (const change of stream.changes(stop.signal)) seen.push(change)
    })()
    await expect.poll(() => seen.length).toBe(1)
    sandbox.fill(10, 10, 5, 5, 99)
    await expect.poll(() => seen.length).toBe(2)
    expect(seen[1]?.boxes).toEqual([{ x: 10, y: 10, width: 5, height: 5 }])
    await sleep(60)
    expect(seen).toHaveLength(2)
    stop.abort()
    await watching
  })

  it('looks seldom while all is still, at once when poked, and never when nobody watches', async () => {
    const sandbox = new DrawnSandbox()
    const stream = new ChangeStream(sandbox, { activeMs: 5, idleMs: 10_000 })
    const stop = new AbortController()
    const seen: ScreenChange[] = []
    const watching = (async () => {
      for await (const change of stream.changes(stop.signal)) seen.push(change)
    })()
    await sleep(150)
    const still = sandbox.captures
    expect(still).toBeLessThan(15)
    sandbox.fill(10, 10, 5, 5, 99)
    stream.poke()
    await expect.poll(() => seen.length, { timeout: 500 }).toBe(2)
    stop.abort()
    await watching
    await sleep(30)
    const ended = sandbox.captures
    await sleep(60)
    expect(sandbox.captures).toBe(ended)
  })

  it('merges what a slow watcher missed', async () => {
    const sandbox = new DrawnSandbox()
    const stream = new ChangeStream(sandbox, { activeMs: 5, idleMs: 10 })
    const changes = stream.changes()
    await changes.next()
    sandbox.fill(10, 10, 5, 5, 99)
    await sleep(40)
    sandbox.fill(300, 10, 5, 5, 99)
    await sleep(60)
    const { value } = await changes.next()
    expect(value?.boxes).toHaveLength(2)
    await changes.return(undefined)
  })

  it('is looked at once for settling and for all who watch', async () => {
    const alone = new DrawnSandbox()
    await settle(alone, alone.frame())
    const sandbox = new DrawnSandbox()
    const stop = new AbortController()
    const watching = (async () => {
      for await (const _ of changeStreamOf(sandbox).changes(stop.signal));
    })()
    await expect.poll(() => sandbox.captures).toBeGreaterThan(0)
    const before = sandbox.captures
    expect(await settle(sandbox, sandbox.frame())).toMatchObject({ changed: false, settled: true })
    expect(sandbox.captures - before).toBeLessThan(alone.captures * 1.5)
    stop.abort()
    await watching
  })

  it('learns what moves by itself while somebody watches, so that settling knows it from the start', async () => {
    const sandbox = new DrawnSandbox()
    const stream = changeStreamOf(sandbox)
    const stop = new AbortController()
    let turn = 0
    const spin = () => sandbox.fill(300, 200, 16, 16, 40 + (turn++ % 250))
    sandbox.onCapture = spin
    const watching = (async () => {
      for await (const _ of stream.changes(stop.signal));
    })()
    await expect.poll(() => stream.noise.regions(), { timeout: 5000 }).toHaveLength(1)
    stop.abort()
    await watching
    expect(await settle(sandbox, sandbox.frame())).toMatchObject({ changed: false, settled: true, boxes: [] })
  })

  it('tells who waits for rest why the screen cannot be seen', async () => {
    const sandbox = new DrawnSandbox()
    sandbox.onCapture = () => {
      throw new GodHandError('machine_error', 'No picture.')
    }
    await expect(settle(sandbox, sandbox.frame())).rejects.toMatchObject({ code: 'machine_error' })
  })
})
