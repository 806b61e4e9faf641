import { z } from 'zod'
import type { Observation, Turn } from '../../planner.ts'
import type { Answer, Call } from '../conversation/call.ts'
import { interjections, nudges, systemPrompt, taskText } from '../conversation/instructions.ts'
import { describeSettle } from '../conversation/reports.ts'
import { type Asking, type TalkingOptions, TalkingPlanner } from '../conversation/talking-planner.ts'
import { withOutput } from '../conversation/untrusted.ts'
import { type AssistantBlock, Message, picturesIn, type UserBlock, withoutOldPictures } from './history.ts'
import { DEFAULT_MODEL, type Traits, traitsOf } from './models.ts'
import { COMPUTER, callsIn, kept, thoughtIn, toolUses, withoutHalfCall } from './reading.ts'
import { wireMessages } from './request.ts'
import { MessagesService, type ServiceOptions } from './service.ts'
import type { Reply } from './stream.ts'

export type AnthropicOptions = Omit<ServiceOptions, 'model'> &
  TalkingOptions & {
    model?: string
    /** Pictures kept when older ones must go. */
    keepPictures?: number
    /** How many pictures a request may hold before the older ones go. Until then history only grows, which is cheapest. */
    mostPictures?: number
  }

const SKIPPED = 'Not executed: an earlier computer action in this turn failed.'
const SKIPPED_TOOL = 'Not executed: an earlier action in this turn failed.'
/** Requests may be 32 MB. */
const MOST_PICTURE_BYTES = 20_000_000

/** Drives the machine with one of Anthropic's models. */
export class AnthropicPlanner extends TalkingPlanner<Reply> {
  protected override history: Message[] = []
  readonly #options: AnthropicOptions
  readonly #traits: Traits
  readonly #service: MessagesService

  constructor(options: AnthropicOptions) {
    const model = options.model ?? DEFAULT_MODEL
    const traits = traitsOf(model)
    super('anthropic', model, traits.view, options)
    this.#options = options
    this.#traits = traits
    this.#service = new MessagesService({ ...options, model }, traits)
    if (options.saved !== undefined) this.restore(options.saved, z.array(Message))
  }

  protected override async ask(_observation: Observation, asking: Asking): Promise<Reply> {
    await this.#makeRoom()
    return this.#service.ask({
      ...asking,
      system: systemPrompt(this.#options, 'Coordinates are pixels of the full screenshot.'),
      messages: await wireMessages(this.history, this.pictures),
      screen: this.shownView(),
    })
  }

  /** Answers to the model's calls must come first. */
  protected override tell(observation: Observation): void {
    const words = interjections(observation.guidance, observation.notes)
    const texts = words.map((text): UserBlock => ({ type: 'text', text }))
    this.history.push({ role: 'user', content: [...this.#news(observation), ...texts] })
  }

  #news(observation: Observation): UserBlock[] {
    if (this.history.length === 0)
      return [{ type: 'text', text: taskText(observation.goal) }, this.#picture(observation)]
    if (!this.batch) {
      const nudge: UserBlock = { type: 'text', text: this.nudge ?? 'Go on.' }
      return this.isNew(observation) ? [nudge, this.#picture(observation)] : [nudge]
    }
    const answers = this.batch.answers
    const results = answers.map((answer): UserBlock => this.#result(answer, observation))
    const last = results.at(-1)
    const seen = answers.at(-1)?.shows !== undefined
    // Looking again costs a whole turn: what changed is shown with the last answer.
    if (last?.type === 'tool_result' && !seen && (this.batch.touched || this.isNew(observation))) {
      const isNew = this.isNew(observation)
      last.content.push({
        type: 'text',
        text: describeSettle(observation.last?.settle ?? null, !isNew, observation.frame),
      })
      if (isNew) last.content.push(this.#picture(observation))
    }
    return results
  }

  #result(answer: Answer, observation: Observation): UserBlock {
    const call = toolUses(this.#lastContent()).find(({ id }) => id === answer.id)
    const onComputer = call?.toolset_name === COMPUTER || call?.name === COMPUTER
    const text = answer.outcome === 'skipped' ? (onComputer ? SKIPPED : SKIPPED_TOOL) : answer.text
    const picture = answer.shows && answer.outcome === 'done'
    return {
      type: 'tool_result',
      tool_use_id: answer.id,
      ...(call?.toolset_name === undefined ? {} : { toolset_name: call.toolset_name }),
      is_error: answer.outcome !== 'done',
      content: picture
        ? [this.#picture(observation, answer.shows)]
        : [{ type: 'text', text: this.#pointer(answer.output) ?? withOutput(text, answer.output) }],
    }
  }

  /** Where the pointer is comes in native pixels; the model thinks in those it was shown. */
  #pointer(output: string | undefined): string | null {
    const pointer = /^X=(\d+),Y=(\d+)$/.exec(output ?? '')
    if (!pointer) return null
    const { x, y } = this.shownView().fromNative({ x: Number(pointer[1]), y: Number(pointer[2]) })
    return `X=${x},Y=${y}`
  }

  #picture(observation: Observation, shows: Answer['shows'] = 'screen') {
    return { type: 'picture', picture: this.show(observation, shows === 'screen' ? undefined : shows) } as const
  }

  protected override take(reply: Reply): Turn {
    const thought = thoughtIn(reply)
    if (reply.stopReason === 'refusal')
      return { kind: 'give_up', thought, reason: `The model refused to go on. ${reply.refusal ?? ''}`.trim() }
    const cut = reply.stopReason === 'max_tokens' || reply.stopReason === 'model_context_window_exceeded'
    const content = cut ? withoutHalfCall(reply.content) : reply.content
    if (content.length > 0) this.history.push({ role: 'assistant', content: kept(content) })
    if (toolUses(content).length > 0) return this.begin(callsIn(content, this.shownView()), thought)
    this.nudge = cut ? nudges.cut : content.length === 0 ? nudges.empty : nudges.noCall
    return this.unusable(thought, this.nudge)
  }

  protected override callsAgain(): Call[] {
    return callsIn(this.#lastContent(), this.shownView())
  }

  #lastContent(): AssistantBlock[] {
    return this.history.findLast((message) => message.role === 'assistant')?.content ?? []
  }

  async #makeRoom(): Promise<void> {
    const refs = picturesIn(this.history)
    const sizes = await Promise.all(refs.map(async (ref) => (await this.pictures.get(ref))?.base64.length ?? 0))
    const bytes = sizes.reduce((sum, size) => sum + size, 0)
    if (refs.length <= (this.#options.mostPictures ?? 90) && bytes <= MOST_PICTURE_BYTES) return
    const keep = this.#options.keepPictures ?? 10
    for (const ref of refs.slice(0, -keep)) this.pictures.forget(ref)
    this.history = withoutOldPictures(this.history, keep, this.#traits.boundThinking)
  }
}
