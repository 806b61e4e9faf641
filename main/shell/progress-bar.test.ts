import { describe, expect, it } from 'vitest'
import { barLine, duration, progressBar } from './progress-bar.mjs'

function screen(isTTY: boolean) {
  const written: string[] = []
  return { isTTY, columns: 80, write: (text: string) => written.push(text), text: () => written.join('') }
}

describe('a progress bar', () => {
  it('says what is done, how far and how long, in one line of the terminal', () => {
    const line = barLine({ step: 'Unpacking packages', done: 50, total: 200, detail: 'x'.repeat(100) }, 65_000, 80)
    expect(line).toMatch(/^Unpacking packages +█{6}░{18} {2}25% {2}1:05/)
    expect(line.length).toBeLessThan(80)
  })

  it('moves without a number when nobody knows how much there is', () => {
    const at = (ms: number) => barLine({ step: 'Waiting', done: 0, total: -1 }, ms, 80)
    expect(at(0)).not.toContain('%')
    expect(at(0)).not.toBe(at(600))
  })

  it('is one line a step on a pipe, with a word now and then in a long one', () => {
    let now = 0
    const pipe = screen(false)
    const bar = progressBar(pipe, () => now)
    for (; now < 25_000; now += 100) bar.report({ step: 'Downloading', done: now, total: 25_000 })
    bar.report({ step: 'Unpacking', done: 0, total: 1 })
    bar.done()
    expect(pipe.text().split('\n')).toEqual([
      'Downloading …',
      '  Downloading: 40% after 10 s',
      '  Downloading: 80% after 20 s',
      '  done in 25 s',
      'Unpacking …',
      '',
    ])
  })

  it('leaves finished steps standing on a terminal', () => {
    let now = 0
    const terminal = screen(true)
    const bar = progressBar(terminal, () => now)
    bar.report({ step: 'Downloading', done: 0, total: 10 })
    now = 3000
    bar.report({ step: 'Unpacking', done: 0, total: 1 })
    bar.done()
    expect(terminal.text()).toContain('✓ Downloading (3 s)\n')
  })

  it('writes durations as people do', () => {
    expect([900, 7000, 65_000, 3_729_000].map(duration)).toEqual(['0 s', '7 s', '1:05', '1:02:09'])
  })
})
