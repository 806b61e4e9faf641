import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { Redaction } from '../../contract/trace.ts'
import { openBundle } from '../bundle/bundle-reader.ts'
import { verifyBundle } from '../bundle/verify-bundle.ts'
import { decodeFrame } from '../pixels.ts'
import { emptyHouse, paintedFrame, record } from '../testing/recorded.ts'
import { exportBundle } from './export-trace.ts'
import { redactPicture } from './redact-picture.ts'
import { redactValue, textRedactor } from './redact-text.ts'

const redactor = (patterns: object[]) => textRedactor(Redaction.parse({ patterns }).patterns)

test('a redacted bundle is sound, and neither the words nor the pixels are anywhere in it', async () => {
  const house = await emptyHouse()
  const secret = 'Hunter2'
  const region = { x: 0, y: 0, width: 320, height: 200 }
  const task = await record(house, {
    task: { goal: `Log in with ${secret}`, verdict: `${secret} was accepted` },
    step: (index) => ({
      thought: `The password is ${secret.toUpperCase()}`,
      actions: [{ act: { type: 'type', text: secret }, result: { ok: true, text: `typed ${secret}` } }],
      checks: [
        {
          assertion: { check: 'text_visible', text: secret, match: 'contains' },
          verdict: {
            pass: true,
            summary: `saw ${secret}`,
            tookMs: 1,
            samples: 1,
            evidence: { [secret]: [{ line: `x${secret}x` }], pin: 424242 },
          },
        },
      ],
      verdict: index === 0 ? 'pass' : 'fail',
    }),
  })
  const file = path.join(house.folder, 'a.ghtrace')
  await exportBundle(house.store, house.frames, task.id, file, {
    redact: {
      patterns: [{ text: secret }, { text: '\\d{6}', match: 'regex', replacement: '######' }],
      regions: [{ region }],
    },
  })
  expect(await verifyBundle(file)).toMatchObject({ ok: true, steps: 3, frames: 1 }) // all black: one and the same
  const bundle = await openBundle(file)
  for (const name of bundle.names.filter((name) => !name.startsWith('frames/')))
    expect((await bundle.read(name)).toString()).not.toMatch(/hunter2|424242/i)
  const steps = (await bundle.read('steps.jsonl'))
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).step)
  expect(steps.map(({ verdict }) => verdict)).toEqual(['pass', 'fail', 'fail'])
  expect(steps[0].actions[0].act).toEqual({ type: 'type', text: '█████' })
  const { rgb } = await decodeFrame(await bundle.read(`frames/${bundle.frames[0]}.png`))
  expect(rgb.every((value) => value === 0)).toBe(true)
  expect(bundle.frames).toContain(steps[0].before)
  bundle.close()
  expect(fs.readFileSync(file).includes(secret)).toBe(false)
})

test('only the region is covered, only in the named pictures, and a region beyond the edge is cut', async () => {
  const { png, hash } = await paintedFrame(3)
  const before = await decodeFrame(png)
  const region = { x: 300, y: 180, width: 500, height: 500 }
  const covered = await decodeFrame(
    await redactPicture(png, hash, Redaction.parse({ regions: [{ region, frames: [hash] }] })),
  )
  const at = (x: number, y: number) => (y * 320 + x) * 3
  expect([...covered.rgb.subarray(at(300, 180), at(320, 180))].every((value) => value === 0)).toBe(true)
  expect(covered.rgb.subarray(0, at(299, 180))).toEqual(before.rgb.subarray(0, at(299, 180)))
  expect(await redactPicture(png, hash, Redaction.parse({ regions: [{ region, frames: ['other'] }] }))).toBe(png)
})

test('pixelated squares have one colour each', async () => {
  const { png, hash } = await paintedFrame(3)
  const region = { x: 16, y: 32, width: 64, height: 32 }
  const { rgb } = await decodeFrame(
    await redactPicture(png, hash, Redaction.parse({ regions: [{ region, style: 'pixelate' }] })),
  )
  const colour = (x: number, y: number) => [...rgb.subarray((y * 320 + x) * 3, (y * 320 + x) * 3 + 3)]
  for (const [x, y] of [
    [17, 33],
    [47, 63],
    [30, 40],
  ] as const)
    expect(colour(x, y)).toEqual(colour(16, 32))
})

test('text that something can find in the picture is covered too', async () => {
  const { png, hash } = await paintedFrame(3)
  const redaction = Redaction.parse({ patterns: [{ text: 'secret' }] })
  const locate = () => Promise.resolve([{ x: 5, y: 5, width: 2, height: 1 }])
  const { rgb } = await decodeFrame(await redactPicture(png, hash, redaction, locate))
  expect([...rgb.subarray((5 * 320 + 5) * 3, (5 * 320 + 7) * 3)]).toEqual([0, 0, 0, 0, 0, 0])
})

test('signs of expressions in plain text stand for themselves, and a replacement is not a template', () => {
  expect(redactor([{ text: 'a.b*(c' }])('x a.B*(c aXb')).toBe('x █████ aXb')
  expect(redactor([{ text: 'a', replacement: '$&' }])('bab')).toBe('b$&b')
})

test('an expression that never ends stops the export instead of leaking, and a broken one is refused at once', () => {
  const redact = redactor([{ text: '(a+)+$', match: 'regex' }])
  expect(() => redact(`${'a'.repeat(40)}b`)).toThrow('takes too long')
  expect(() => redactor([{ text: '(', match: 'regex' }])).toThrow('not a regular expression')
})

test('words of a fixed list stay even when a pattern names them', () => {
  const redact = redactor([{ text: 'left' }, { text: 'click' }])
  const act = { type: 'click', button: 'left', text: 'left click' }
  expect(redactValue(act, redact)).toEqual({ type: 'click', button: 'left', text: '█████ █████' })
})
