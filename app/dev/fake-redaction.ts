import sharp from 'sharp'
import { describeAct } from '../../main/contract/action.ts'
import { GodHandError } from '../../main/contract/errors.ts'
import type { RedactionPreview } from '../../main/contract/export.ts'
import type { Redaction } from '../../main/contract/trace.ts'
import { pictureOf } from './fake-frames.ts'
import type { FakeWorld } from './fake-world.ts'

type Wish = { taskId: string; frame: string; redact: Redaction }

/** Covers places for real, words in texts only: nobody reads pictures here. */
export async function previewFake(world: FakeWorld, { taskId, frame, redact }: Wish): Promise<RedactionPreview> {
  const picture = pictureOf(frame)
  if (!picture) throw new GodHandError('not_found', 'This trace has no such picture.')
  const covered = redact.regions.filter(({ frames }) => !frames || frames.includes(frame)).map(({ region }) => region)
  const { width = 0, height = 0 } = await sharp(picture).metadata()
  const boxes = covered.map(({ x, y, width: w, height: h }) => `<rect x="${x}" y="${y}" width="${w}" height="${h}"/>`)
  const cover = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${boxes.join('')}</svg>`,
  )
  const png = await sharp(picture)
    .composite([{ input: cover }])
    .png()
    .toBuffer()
  const patterns = redact.patterns.map(({ text, match, replacement }) => ({
    pattern: compiled(text, match),
    replacement,
  }))
  const texts = (world.steps.get(taskId) ?? [])
    .flatMap((step) =>
      [step.thought, ...step.actions.map(({ act }) => describeAct(act))].map((before) => ({
        where: `step ${step.index + 1}`,
        before,
        after: patterns.reduce((rest, { pattern, replacement }) => rest.replace(pattern, () => replacement), before),
      })),
    )
    .filter(({ before, after }) => before !== after)
  return { png: png.toString('base64'), covered, texts: texts.slice(0, 50), changed: texts.length }
}

function compiled(text: string, match: 'text' | 'regex'): RegExp {
  try {
    return new RegExp(match === 'regex' ? text : text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'), 'giu')
  } catch {
    throw new GodHandError('bad_request', `/${text}/ is not a regular expression.`)
  }
}
