import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { ChangeStream, type ScreenChange } from './capture.ts'
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
})
