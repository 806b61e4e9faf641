import sharp, { type Sharp } from 'sharp'
import { type Act, describeAct, type Point } from '../../contract/action.ts'
import type { Step } from '../../contract/task.ts'
import { decodeFrame } from '../pixels.ts'
import { captionBar, marker } from './film-drawing.ts'
import type { TraceSource } from './source.ts'

/** A picture of the film: a sharp pipeline of the given size, still to be encoded, and how long it stays. */
export type FilmFrame = { picture: Sharp; width: number; height: number; holdMs: number; stepIndex: number }

export type FilmOptions = { width: number; onStep?: (index: number) => void; signal?: AbortSignal | undefined }

const showMs = 1500
const pointMs = 700
/** A long trace is played faster, so that nobody has to sit through hours. */
const longestMs = 10 * 60_000

/** Every step: where the hand goes, with the caption of what it does, then what came of it, with the verdict. */
export async function* filmOf(source: TraceSource, { width, onStep, signal }: FilmOptions): AsyncGenerator<FilmFrame> {
  const speed = Math.max(1, (source.task.stepCount * (showMs + pointMs)) / longestMs)
  const hold = (ms: number) => Math.max(100, Math.round(ms / speed))
  let size: { width: number; height: number } | undefined
  for await (const step of source.steps()) {
    signal?.throwIfAborted()
    onStep?.(step.index)
    const caption = captionOf(step, source.task.stepCount)
    for (const moment of momentsOf(step)) {
      const png = moment.hash && (await source.frame(moment.hash))
      if (!png) continue
      const frame = await decodeFrame(png)
      size ??= filmSize(frame, width)
      const { bar, height } = captionBar(size.width, { ...caption, verdict: moment.final ? step.verdict : null })
      const layers = [{ input: bar, top: size.height, left: 0 }]
      const scale = size.width / frame.width
      if (moment.at)
        layers.push({ input: marker(size, { x: moment.at.x * scale, y: moment.at.y * scale }), top: 0, left: 0 })
      const picture = sharp(frame.rgb, { raw: { width: frame.width, height: frame.height, channels: 3 } })
        .resize(size.width, size.height, { fit: 'contain', background: 'black' })
        .extend({ bottom: height, background: 'black' })
      // sharp composes before it extends unless the steps are told apart.
      const laid = sharp(await picture.png({ compressionLevel: 0 }).toBuffer())
        .composite(layers)
        .removeAlpha()
      yield {
        picture: laid,
        width: size.width,
        height: size.height + height,
        holdMs: hold(moment.ms),
        stepIndex: step.index,
      }
    }
  }
}

type Moment = { hash: string | null; at: Point | null; final: boolean; ms: number }

function momentsOf(step: Step): Moment[] {
  const at = step.actions.map(({ act }) => pointOf(act)).find((point) => point !== null) ?? null
  const result: Moment = { hash: step.after ?? step.before, at: null, final: true, ms: showMs }
  return step.before && (at || step.index === 0)
    ? [{ hash: step.before, at, final: false, ms: pointMs }, result]
    : [result]
}

export function pointOf(act: Act): Point | null {
  if (act.type === 'move') return act.to
  if (act.type === 'drag') return act.path[0] ?? null
  return 'at' in act ? (act.at ?? null) : null
}

function captionOf(step: Step, total: number): { title: string; text: string } {
  const done = step.actions.map(({ act }) => describeAct(act)).join(', ')
  return { title: `${step.index + 1}/${total}  ${done || 'Look'}`, text: step.thought.replace(/\s+/g, ' ') }
}

/** Codecs want even sides; a screen is never enlarged. */
function filmSize(frame: { width: number; height: number }, width: number): { width: number; height: number } {
  const even = (value: number) => Math.max(2, Math.round(value / 2) * 2)
  const target = Math.min(width, frame.width)
  return { width: even(target), height: even((frame.height * target) / frame.width) }
}
