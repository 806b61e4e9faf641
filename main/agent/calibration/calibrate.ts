import { randomInt } from 'node:crypto'
import type { Calibration } from '../../contract/model.ts'
import type { OnProgress } from '../../contract/progress.ts'
import { hashFrame } from '../../screen/frames.ts'
import type { Meaning } from '../planners/conversation/call.ts'
import { Pictures } from '../planners/conversation/pictures.ts'
import type { Asking } from '../planners/conversation/talking-planner.ts'
import { type Claim, readAction } from '../planners/local/actions.ts'
import { type ChatOptions, ChatService } from '../planners/local/chat-service.ts'
import type { Format } from '../planners/local/formats/format.ts'
import { mappingOf } from '../planners/local/grounding.ts'
import { wireChat } from '../planners/local/history.ts'
import { fit, type Sample } from './fit.ts'
import { drawChart, type Target } from './targets.ts'

export type CalibrateOptions = ChatOptions & {
  format: Format
  screen: { width: number; height: number }
  /** The middle error above which the model counts as blind, in pixels of the screen. */
  boundPx?: number
  signal?: AbortSignal
  onProgress?: OnProgress
  onTokens?: Asking['onTokens']
  random?: () => number
}

const BOUND_PX = 15
/** Fewer answers than this of those asked for say nothing. */
const ENOUGH = 0.65

/** Shows the model pictures with known targets, asks where they are, and fits the way from its numbers to the screen. */
export async function calibrate(options: CalibrateOptions): Promise<Calibration> {
  const { format, screen } = options
  const random = options.random ?? (() => randomInt(1_000_000) / 1_000_000)
  const signal = options.signal ?? new AbortController().signal
  const chart = await drawChart(screen, random)
  const pictures = new Pictures(format.view)
  const picture = pictures.add(chart.frame, await hashFrame(chart.frame))
  const service = new ChatService({ maxTokens: 1024, ...options })
  const samples: Sample[] = []
  for (const [index, target] of chart.targets.entries()) {
    signal.throwIfAborted()
    options.onProgress?.({
      step: `Asking the model to point at “${target.label}”`,
      done: index,
      total: chart.targets.length,
    })
    const question = format.where(`the button labelled "${target.label}"`)
    const content = [
      { type: 'picture' as const, picture },
      { type: 'text' as const, text: question },
    ]
    const reply = await service.ask({
      messages: await wireChat('You point at things on a screen.', [{ role: 'user', content }], pictures),
      tools: format.calls === 'server' ? 'places' : null,
      signal,
      onThought: () => {},
      onNotice: () => {},
      onTokens: options.onTokens ?? (() => {}),
    })
    const said = firstPlace(format.read(reply).actions)
    if (said) samples.push({ said, truth: target.at })
  }
  return judged(options, chart.targets, samples, pictures.viewOf(screen))
}

/** The place in the model's own numbers: nothing is mapped yet. */
function firstPlace(actions: ReturnType<Format['read']>['actions']): { x: number; y: number } | null {
  for (const action of actions) {
    const senses = { place: (point: { x: number; y: number }) => point, blind: null, pointer: { at: null } }
    const meaning: Meaning | Claim = readAction(action, senses)
    if (meaning.kind === 'act' && meaning.act.type === 'click' && meaning.act.at) return meaning.act.at
    if (meaning.kind === 'act' && meaning.act.type === 'move') return meaning.act.to
  }
  return null
}

function judged(
  options: CalibrateOptions,
  targets: Target[],
  samples: Sample[],
  picture: { width: number; height: number },
): Calibration {
  const { format, screen, model, baseUrl } = options
  const bound = options.boundPx ?? BOUND_PX
  const about = {
    model,
    server: baseUrl,
    format: format.id,
    screen,
    asked: targets.length,
    answered: samples.length,
    at: new Date().toISOString(),
  }
  if (samples.length < targets.length * ENOUGH)
    return {
      ...about,
      space: format.space,
      mapping: mappingOf(format.space, picture),
      medianPx: screen.width,
      worstPx: screen.width,
      thrownOut: 0,
      blind: true,
      verdict: `The model named a place for ${samples.length} of ${targets.length} targets only. It will not click anything.`,
    }
  const found = fit(samples, screen, picture)
  const agreed = (samples.length - found.thrownOut) / targets.length
  const blind = !(found.medianPx <= bound) || agreed < ENOUGH
  const error = `${Math.round(found.medianPx * 10) / 10} px off in the middle, ${Math.round(found.worstPx)} px at worst`
  const verdict = blind
    ? `The model does not point well enough here (${error}; ${bound} px are allowed). It will not click anything.`
    : `The model points well (${error}).`
  return { ...about, ...found, blind, verdict }
}
