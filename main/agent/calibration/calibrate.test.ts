import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { Point } from '../../contract/action.ts'
import type { Format } from '../planners/local/formats/format.ts'
import { holo } from '../planners/local/formats/holo.ts'
import { qwen3, qwen25 } from '../planners/local/formats/qwen.ts'
import { plainTools } from '../planners/local/formats/tools.ts'
import { uiTars } from '../planners/local/formats/ui-tars.ts'
import { placeOn } from '../planners/local/grounding.ts'
import { OpenAiChatServer } from '../wire/openai-chat-server.ts'
import { calibrate } from './calibrate.ts'
import { CalibrationStore } from './store.ts'
import { type Bend, seeing } from './testing.ts'

let server: OpenAiChatServer
afterEach(() => server?.close())

const screen = { width: 1280, height: 800 }

async function seen(format: Format, bend: Bend) {
  server = await seeing('m', format, bend)
}

const run = (format: Format) => calibrate({ baseUrl: server.url, model: 'm', format, screen })

/** How far off a click would land with what was found, in pixels of the screen. */
async function worstMiss(
  found: Awaited<ReturnType<typeof calibrate>>,
  bend: Bend,
  picture: { width: number; height: number },
) {
  const misses = Array.from({ length: 200 }, (_, n) => ({ x: ((n * 37) % 200) / 200, y: ((n * 91) % 200) / 200 })).map(
    (share) => {
      const at = placeOn(found.mapping, screen, bend(share, picture))
      return at ? Math.hypot(at.x - share.x * screen.width, at.y - share.y * screen.height) : 1000
    },
  )
  return Math.max(...misses)
}

describe('recovers how a model counts, to within 3 px', () => {
  const cases: [string, Format, Bend, string][] = [
    ['pixels of the picture', uiTars, ({ x, y }, { width, height }) => ({ x: x * width, y: y * height }), 'pixels'],
    ['0 to 1000 where pixels were expected', qwen25, ({ x, y }) => ({ x: x * 1000, y: y * 1000 }), 'thousand'],
    ['0 to 1000', qwen3, ({ x, y }) => ({ x: Math.round(x * 1000), y: Math.round(y * 1000) }), 'thousand'],
    [
      'pixels where 0 to 1000 was expected',
      holo,
      ({ x, y }, { width, height }) => ({ x: x * width, y: y * height }),
      'pixels',
    ],
    ['a picture that the server made smaller', plainTools, ({ x, y }) => ({ x: x * 896, y: y * 560 }), 'other'],
    [
      'a picture that the server squeezed into a square',
      plainTools,
      ({ x, y }) => ({ x: x * 1024, y: y * 1024 }),
      'other',
    ],
    [
      'an offset, as from a border',
      plainTools,
      ({ x, y }, { width, height }) => ({ x: x * width + 40, y: y * height * 0.8 + 96 }),
      'other',
    ],
  ]
  test.each(cases)('%s', async (_what, format, bend, space) => {
    let picture = { width: 0, height: 0 }
    await seen(format, (share, size) => {
      picture = { width: size.width, height: size.height }
      return bend(share, size)
    })
    const found = await run(format)
    expect(server.refused).toEqual([])
    expect(found).toMatchObject({ blind: false, space, asked: 9, answered: 9 })
    expect(found.medianPx).toBeLessThan(3)
    expect(await worstMiss(found, bend, picture)).toBeLessThan(3)
  })

  test('two answers about something else do not bend the result', async () => {
    let count = 0
    const bend = ({ x, y }: Point) =>
      ++count % 4 === 0 ? { x: 950 - x * 700, y: 20 + y * 10 } : { x: x * 1000, y: y * 1000 }
    await seen(qwen3, bend)
    const found = await run(qwen3)
    expect(found).toMatchObject({ blind: false, thrownOut: 2 })
    expect(await worstMiss(found, ({ x, y }) => ({ x: x * 1000, y: y * 1000 }), screen)).toBeLessThan(3)
  })
})

describe('refuses', () => {
  test('a model that points at random', async () => {
    await seen(qwen3, () => ({ x: Math.random() * 1000, y: Math.random() * 1000 }))
    const found = await run(qwen3)
    expect(found.blind).toBe(true)
    expect(found.verdict).toContain('will not click anything')
  })

  test('a model that always points at the same place', async () => {
    await seen(qwen3, () => ({ x: 500, y: 500 }))
    expect((await run(qwen3)).blind).toBe(true)
  })

  test('a model that is roughly right, but not enough to hit a button', async () => {
    await seen(qwen3, ({ x, y }) => ({
      x: x * 1000 + (Math.random() - 0.5) * 200,
      y: y * 1000 + (Math.random() - 0.5) * 200,
    }))
    expect((await run(qwen3)).blind).toBe(true)
  })

  test('a model that names no place', async () => {
    server = await OpenAiChatServer.start(['m'], () => ({ text: 'I see a nice desktop.' }))
    expect(await run(qwen3)).toMatchObject({ blind: true, answered: 0, verdict: expect.stringContaining('0 of 9') })
  })
})

test('what was found is kept for this model, server, format and screen', async () => {
  await seen(qwen3, ({ x, y }) => ({ x: x * 1000, y: y * 1000 }))
  const found = await run(qwen3)
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'godhand-calibration-'))
  const file = path.join(folder, 'calibrations.json')
  await new CalibrationStore(file).put(found)
  const store = new CalibrationStore(file)
  expect(await store.get(found)).toEqual(found)
  expect(await store.get({ ...found, model: 'another' })).toBeNull()
  expect(await store.get({ ...found, screen: { width: 800, height: 600 } })).toBeNull()
  await fs.writeFile(file, 'broken')
  expect(await store.get(found)).toBeNull()
  await fs.rm(folder, { recursive: true })
})
