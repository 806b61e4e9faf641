import { readFile } from 'node:fs/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Region } from '../../contract/action.ts'
import type { RawFrame } from '../../sandbox/sandbox.ts'
import { decodePng } from '../frames.ts'
import { closeTextReader, readText } from './read-text.ts'
import { findText } from './screen-text.ts'
import { score } from './testing/score.ts'

const folder = new URL('./testing/screens/', import.meta.url)
const Words = z.array(z.object({ text: z.string(), box: Region }))

/** Parts of real desktop screens, with the words that the guest said it drew there. */
async function stored(name: string): Promise<{ frame: RawFrame; words: z.infer<typeof Words> }> {
  const frame = await decodePng(await readFile(new URL(`${name}.png`, folder)))
  return { frame, words: Words.parse(JSON.parse(await readFile(new URL(`${name}.json`, folder), 'utf8'))) }
}

afterAll(closeTextReader)

describe('reading a screen', () => {
  it.each(['terminal-dark', 'page-light'])(
    'finds nearly all words of %s, with boxes within 6 pixels',
    async (name) => {
      const { frame, words } = await stored(name)
      const { share, missed } = score(await readText(frame), words)
      expect(share, missed.join('\n')).toBeGreaterThanOrEqual(0.95)
    },
    60_000,
  )

  it('finds a place to click', async () => {
    const { frame } = await stored('page-light')
    const [found] = findText(await readText(frame), { text: 'Save changes', match: 'exact' })
    expect(found?.point.x).toBeGreaterThan(56)
    expect(found?.point.x).toBeLessThan(162)
    expect(found?.point.y).toBeGreaterThan(405)
    expect(found?.point.y).toBeLessThan(432)
  })

  it('reads equal frames once', async () => {
    const { frame } = await stored('page-light')
    const started = performance.now()
    const again = await readText({ ...frame, rgb: Buffer.from(frame.rgb) })
    expect(performance.now() - started).toBeLessThan(200)
    expect(again.length).toBeGreaterThan(10)
  })

  it('leaves the event loop free meanwhile', async () => {
    const { frame } = await stored('terminal-dark')
    frame.rgb.fill(99, 0, 3)
    let longest = 0
    let last = performance.now()
    const beat = setInterval(() => {
      longest = Math.max(longest, performance.now() - last)
      last = performance.now()
    }, 5)
    await readText(frame)
    clearInterval(beat)
    expect(longest).toBeLessThan(250)
  })

  it('finds nothing on an empty screen', async () => {
    expect(await readText({ width: 200, height: 100, rgb: Buffer.alloc(60_000, 77) })).toEqual([])
  })
})
