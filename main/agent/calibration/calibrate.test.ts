import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { afterEach, describe, expect, test } from 'vitest'
import type { Point } from '../../contract/action.ts'
import type { Format } from '../planners/local/formats/format.ts'
import { holo } from '../planners/local/formats/holo.ts'
import { qwen3, qwen25 } from '../planners/local/formats/qwen.ts'
import { plainTools } from '../planners/local/formats/tools.ts'
import { uiTars } from '../planners/local/formats/ui-tars.ts'
import { placeOn } from '../planners/local/grounding.ts'
import { type ChatAnswer, type ChatBody, imagesIn, OpenAiChatServer } from '../wire/openai-chat-server.ts'
import { calibrate } from './calibrate.ts'
import { CalibrationStore } from './store.ts'
import { drawChart } from './targets.ts'

let server: OpenAiChatServer
afterEach(() => server?.close())

const screen = { width: 1280, height: 800 }

/** A model with eyes: looks for the button's colour in the picture it was sent, and says where, bent by `bend`. */
async function seeing(format: Format, bend: (share: Point, picture: { width: number; height: number }) => Point) {
  server = await OpenAiChatServer.start(['m'], async (request): Promise<ChatAnswer> => {
    const label = /labelled "(\w+)"/.exec(questionIn(request))?.[1] ?? ''
    const share = await find(request, label)
    const { x, y } = bend(share.at, share.picture)
    return said(format, x, y)
  })
  return server
}

function questionIn({ messages }: ChatBody): string {
  return JSON.stringify(messages.at(-1)).replaceAll('\\"', '"')
}

const colours = new Map((await drawChart(screen, Math.random)).targets.map(({ label, colour }) => [label, colour]))

async function find({ messages }: ChatBody, label: string) {
  const { data, info } = await sharp(imagesIn(messages)[0]).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const colour = Buffer.from((colours.get(label) ?? '#000000').slice(1), 'hex')
  let [left, right, top, bottom] = [info.width, 0, info.height, 0]
  for (let at = 0; at < data.length; at += 3) {
    if (
      Math.abs((data[at] ?? 0) - (colour[0] ?? 0)) +
        Math.abs((data[at + 1] ?? 0) - (colour[1] ?? 0)) +
        Math.abs((data[at + 2] ?? 0) - (colour[2] ?? 0)) >
      12
    )
      continue
    const [x, y] = [(at / 3) % info.width, Math.floor(at / 3 / info.width)]
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
  }
  return { at: { x: (left + right + 1) / 2 / info.width, y: (top + bottom + 1) / 2 / info.height }, picture: info }
}

function said(format: Format, x: number, y: number): ChatAnswer {
  const [a, b] = [Math.round(x * 100) / 100, Math.round(y * 100) / 100]
  if (format.id === 'tools') return { calls: [{ name: 'click', arguments: { x: a, y: b } }] }
  if (format.id === 'ui-tars-1.5') return { text: `Action: click(start_box='(${a},${b})')` }
  if (format.id === 'holo3')
    return { text: `{"thought": "", "tool_call": {"tool_name": "click", "x": ${a}, "y": ${b}}}` }
  return {
    text: `<tool_call>{"name": "computer_use", "arguments": {"action": "left_click", "coordinate": [${a}, ${b}]}}</tool_call>`,
  }
}

const run = (format: Format) => calibrate({ baseUrl: server.url, model: 'm', format, screen })

/** How far off a click would land with what was found, in pixels of the screen. */
async function worstMiss(
  found: Awaited<ReturnType<typeof calibrate>>,
  bend: Parameters<typeof seeing>[1],
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
  const cases: [string, Format, Parameters<typeof seeing>[1], string][] = [
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
    await seeing(format, (share, size) => {
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
    await seeing(qwen3, bend)
    const found = await run(qwen3)
    expect(found).toMatchObject({ blind: false, thrownOut: 2 })
    expect(await worstMiss(found, ({ x, y }) => ({ x: x * 1000, y: y * 1000 }), screen)).toBeLessThan(3)
  })
})

describe('refuses', () => {
  test('a model that points at random', async () => {
    await seeing(qwen3, () => ({ x: Math.random() * 1000, y: Math.random() * 1000 }))
    const found = await run(qwen3)
    expect(found.blind).toBe(true)
    expect(found.verdict).toContain('will not click anything')
  })

  test('a model that always points at the same place', async () => {
    await seeing(qwen3, () => ({ x: 500, y: 500 }))
    expect((await run(qwen3)).blind).toBe(true)
  })

  test('a model that is roughly right, but not enough to hit a button', async () => {
    await seeing(qwen3, ({ x, y }) => ({
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
  await seeing(qwen3, ({ x, y }) => ({ x: x * 1000, y: y * 1000 }))
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
