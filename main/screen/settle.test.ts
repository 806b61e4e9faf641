import { describe, expect, it } from 'vitest'
import { NoiseMap } from './noise.ts'
import { settle } from './settle.ts'
import { DrawnSandbox } from './testing/drawn-sandbox.ts'

/** A screen that draws itself by the clock: each entry happens once, `at` ms after the action. */
function timeline(sandbox: DrawnSandbox, entries: { at: number; draw: () => void }[]): void {
  const started = performance.now()
  const left = [...entries]
  sandbox.onCapture = () => {
    while (left[0] && performance.now() - started >= left[0].at) left.shift()?.draw()
  }
}

describe('settle', () => {
  it('waits for the change and for the rest after it, not longer', async () => {
    const sandbox = new DrawnSandbox()
    const before = sandbox.frame()
    timeline(sandbox, [{ at: 60, draw: () => sandbox.fill(40, 40, 10, 14, 220) }])
    const result = await settle(sandbox, before)
    expect(result).toMatchObject({ changed: true, settled: true, boxes: [{ x: 40, y: 40, width: 10, height: 14 }] })
    expect(result.tookMs).toBeGreaterThanOrEqual(150)
    expect(result.tookMs).toBeLessThan(2000)
  })

  it('decides early that nothing changes', async () => {
    const sandbox = new DrawnSandbox()
    const result = await settle(sandbox, sandbox.frame(), { boundMs: 10_000 })
    expect(result).toMatchObject({ changed: false, settled: true, boxes: [] })
    expect(result.tookMs).toBeLessThan(3000)
  })

  it('sees the last of several changes', async () => {
    const sandbox = new DrawnSandbox()
    const before = sandbox.frame()
    timeline(
      sandbox,
      [50, 130, 210, 290, 370].map((at, n) => ({ at, draw: () => sandbox.fill(20 + n * 120, 100, 30, 40, 200) })),
    )
    const result = await settle(sandbox, before)
    expect(result.settled).toBe(true)
    expect(result.boxes).toHaveLength(5)
  })

  it('gives up at the bound when a large part of the screen keeps moving, and says so', async () => {
    const sandbox = new DrawnSandbox()
    let shade = 0
    sandbox.onCapture = () => sandbox.fill(0, 0, 400, 300, shade++ % 256)
    const result = await settle(sandbox, sandbox.frame(), { boundMs: 700 })
    expect(result).toMatchObject({ changed: true, settled: false })
    expect(result.tookMs).toBeGreaterThanOrEqual(700)
    expect(result.tookMs).toBeLessThan(3000)
  })

  it('comes to rest beside a spinner, which it then knows', async () => {
    const sandbox = new DrawnSandbox()
    const noise = new NoiseMap()
    let turn = 0
    sandbox.onCapture = () => sandbox.fill(300, 200, 16, 16, 40 + (turn++ % 8) * 20)
    const first = await settle(sandbox, sandbox.frame(), { boundMs: 8000, noise })
    expect(first.settled).toBe(true)
    expect(first.tookMs).toBeLessThan(5000)
    expect(noise.regions()).toEqual([{ x: 300, y: 200, width: 16, height: 16 }])
    const second = await settle(sandbox, sandbox.frame(), { boundMs: 8000, noise })
    expect(second).toMatchObject({ changed: false, settled: true })
    expect(second.tookMs).toBeLessThan(3000)
  })

  it('comes to rest beside a place that never looks the same twice', async () => {
    const sandbox = new DrawnSandbox()
    let turn = 0
    sandbox.onCapture = () => sandbox.fill(300, 200, 16, 16, turn++ % 250)
    const result = await settle(sandbox, sandbox.frame(), { boundMs: 8000 })
    expect(result.settled).toBe(true)
    expect(result.tookMs).toBeLessThan(6000)
  })

  it('stops with its signal', async () => {
    const sandbox = new DrawnSandbox()
    const stop = new AbortController()
    setTimeout(() => stop.abort(), 30)
    await expect(settle(sandbox, sandbox.frame(), { signal: stop.signal })).rejects.toMatchObject({ code: 'cancelled' })
  })
})

describe('learned noise', () => {
  /** A caret seen blinking between actions. */
  function knownCaret() {
    const sandbox = new DrawnSandbox()
    const noise = new NoiseMap()
    const off = sandbox.frame()
    sandbox.fill(100, 100, 8, 16, 255)
    const on = sandbox.frame()
    for (let n = 0; n < 2; n++) {
      noise.beginAction(off)
      noise.endAction(off)
      noise.beginAction(on)
      noise.endAction(on)
    }
    return { sandbox, noise, off, on }
  }

  it('does not take a caret for an effect', async () => {
    const { sandbox, noise, off, on } = knownCaret()
    timeline(sandbox, [
      { at: 50, draw: () => sandbox.show(off) },
      { at: 200, draw: () => sandbox.show(on) },
      { at: 300, draw: () => sandbox.show(off) },
    ])
    expect(await settle(sandbox, on, { noise })).toMatchObject({ changed: false, settled: true, boxes: [] })
  })

  it('still sees a letter typed where the caret was', async () => {
    const { sandbox, noise, on } = knownCaret()
    timeline(sandbox, [{ at: 40, draw: () => sandbox.fill(100, 100, 4, 16, 128) }])
    expect(await settle(sandbox, on, { noise })).toMatchObject({ changed: true })
  })

  it('does not learn from what actions do: a box ticked and unticked again and again is a change each time', async () => {
    const sandbox = new DrawnSandbox()
    const noise = new NoiseMap()
    for (let n = 0; n < 6; n++) {
      const before = sandbox.frame()
      sandbox.fill(50, 50, 12, 12, n % 2 === 0 ? 255 : 32)
      expect(await settle(sandbox, before, { noise, quietMs: 20 })).toMatchObject({ changed: true })
    }
  })

  it('is forgotten when something larger takes its place', () => {
    const { sandbox, noise, on } = knownCaret()
    expect(noise.regions()).toHaveLength(1)
    sandbox.fill(60, 60, 200, 200, 90)
    noise.noteActing({ x: 60, y: 60, width: 200, height: 200 }, on, sandbox.frame())
    expect(noise.regions()).toEqual([])
  })
})
