import { z } from 'zod'
import type { Region } from '../../../contract/action.ts'
import { GodHandError } from '../../../contract/errors.ts'
import { addUsage, noUsage, Usage } from '../../../contract/usage.ts'
import type { View, ViewLimit } from '../../../screen/view.ts'
import type { Observation, Planner, Turn } from '../../planner.ts'
import { Batch, BatchState } from './batch.ts'
import type { Call } from './call.ts'
import { type Instructions, USELESS_LIMIT } from './instructions.ts'
import { type LoadFrame, type PictureRef, Pictures } from './pictures.ts'
import { priced } from './prices.ts'
import { clip } from './untrusted.ts'

export type TalkingOptions = Instructions & {
  /** Frames of the trace by their name, for a conversation that goes on in another process. */
  loadFrame?: LoadFrame
  /** What `save` gave. */
  saved?: unknown
}

export type Tokens = Omit<Usage, 'usd'>

/** How one question is put, whoever answers it. */
export type Asking = {
  signal: AbortSignal
  onThought: (delta: string) => void
  onNotice: (text: string) => void
  /** Called also when the answer is cut short: what was read has been paid for. */
  onTokens: (tokens: Tokens) => void
}

const Saved = z.object({
  version: z.literal(1),
  planner: z.string(),
  history: z.unknown(),
  batch: BatchState.nullable(),
  nudge: z.string().nullable(),
  useless: z.number().int(),
  shown: z.object({ frame: z.string(), width: z.number().int(), height: z.number().int() }).nullable(),
  usage: Usage,
})

/**
 * What all planners that talk to a model have in common: a batch of calls is done before the model is asked again, and
 * everything it must know by then is told first. Subclasses know how one provider is told, asked and understood.
 */
export abstract class TalkingPlanner<Reply> implements Planner {
  readonly name: string
  protected readonly model: string
  protected readonly pictures: Pictures
  protected batch: Batch | null = null
  protected nudge: string | null = null // what to say when there was no call to answer
  protected shown: { frame: string; width: number; height: number } | null = null // the native size of what was last shown
  #useless = 0
  #usage = noUsage

  constructor(provider: string, model: string, view: ViewLimit, options: TalkingOptions) {
    this.name = `${provider}:${model}`
    this.model = model
    this.pictures = new Pictures(view, options.loadFrame)
  }

  protected abstract history: unknown
  /** Adds to the history what came of the last answer, what there is to see, and what people say. */
  protected abstract tell(observation: Observation): void
  protected abstract ask(observation: Observation, asking: Asking): Promise<Reply>
  /** Adds the answer to the history and says what is to be done. */
  protected abstract take(reply: Reply): Turn
  /** The calls of the last answer, read again from the history. */
  protected abstract callsAgain(): Call[]

  /** All that was spent so far, over every process that took part. */
  get usage(): Usage {
    return this.#usage
  }

  async next(observation: Observation, signal: AbortSignal): Promise<Turn> {
    this.batch?.settle(observation.last)
    const rest = this.batch?.next('Going on with what was planned.')
    if (rest) return rest
    this.tell(observation)
    this.batch = null
    this.nudge = null

    const notices: string[] = []
    let spent = noUsage
    const reply = await this.ask(observation, {
      signal,
      onThought: (delta) => observation.onThought?.(delta),
      onNotice: (text) => {
        notices.push(text)
        observation.onNotice?.(text)
      },
      onTokens: (tokens) => {
        spent = addUsage(spent, this.price(tokens))
      },
    })
    this.#usage = addUsage(this.#usage, spent)
    return { ...this.take(reply), usage: spent, ...(notices.length > 0 ? { notices } : {}) }
  }

  save(): unknown {
    const state: z.infer<typeof Saved> = {
      version: 1,
      planner: this.name,
      history: this.history,
      batch: this.batch?.save() ?? null,
      nudge: this.nudge,
      useless: this.#useless,
      shown: this.shown,
      usage: this.#usage,
    }
    return state
  }

  /** To be called at the end of a subclass's constructor, with the schema of its history. */
  protected restore<H>(saved: unknown, history: z.ZodType<H>): H {
    const parsed = Saved.safeParse(saved)
    const past = history.safeParse(parsed.data?.history)
    if (!parsed.success || !past.success || parsed.data.planner !== this.name)
      throw new GodHandError('corrupt', 'The saved conversation does not fit this model.', { cause: parsed.error })
    this.nudge = parsed.data.nudge
    this.#useless = parsed.data.useless
    this.shown = parsed.data.shown
    this.#usage = parsed.data.usage
    this.history = past.data
    if (parsed.data.batch) this.batch = new Batch(this.callsAgain(), parsed.data.batch)
    return past.data
  }

  protected price(tokens: Tokens): Usage {
    return priced(this.model, tokens)
  }

  /** The first turn of a new batch. */
  protected begin(calls: Call[], thought: string): Turn {
    this.batch = new Batch(calls)
    const turn = this.batch.next(thought)
    if (!turn) return this.unusable(thought, this.batch.answers.map(({ text }) => text).join(' '))
    this.#useless = 0
    return turn
  }

  /** A step in which nothing is done, so that the trace shows what was wrong with the answer. */
  protected unusable(thought: string, problem: string): Turn {
    this.#useless++
    const about = `${thought}\n[${clip(problem, 2000)}]`.trim()
    if (this.#useless >= USELESS_LIMIT)
      return {
        kind: 'give_up',
        thought: about,
        reason: `The model gave ${this.#useless} answers in a row that could not be used.`,
      }
    return { kind: 'act', thought: about, acts: [], expect: [], timeoutMs: 0 }
  }

  protected show({ frame, frameHash }: Observation, region?: Region): PictureRef {
    if (!region) this.shown = { frame: frameHash, width: frame.width, height: frame.height }
    return this.pictures.add(frame, frameHash, region)
  }

  protected isNew({ frameHash }: Observation): boolean {
    return this.shown?.frame !== frameHash
  }

  /** How what was last shown maps onto the screen. */
  protected shownView(): View {
    return this.pictures.viewOf(this.shown ?? { width: 1, height: 1 })
  }
}
