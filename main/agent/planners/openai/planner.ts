import { z } from 'zod'
import type { Observation, Turn } from '../../planner.ts'
import type { Answer, Call, Meaning } from '../conversation/call.ts'
import { interjections, nudges, systemPrompt, taskText } from '../conversation/instructions.ts'
import { guestTools, leadingTools } from '../conversation/own-tools.ts'
import { describeSettle } from '../conversation/reports.ts'
import { type Asking, type TalkingOptions, TalkingPlanner } from '../conversation/talking-planner.ts'
import { clip, withOutput } from '../conversation/untrusted.ts'
import { permitId, readComputerCall } from './computer.ts'
import { Item, lastReply, lastReplyStart, newestPart, type OutputItem, type Part, pictureCount } from './items.ts'
import { DEFAULT_MODEL } from './models.ts'
import { type Reply, type ResponsesOptions, ResponsesService } from './service.ts'

export type OpenAiOptions = Omit<ResponsesOptions, 'model'> &
  TalkingOptions & {
    model?: string
    /** What happens when the provider warns before an action: ask the person (the default), or go on as the policy says. */
    safetyChecks?: 'ask' | 'acknowledge'
    mostPictures?: number
    keepPictures?: number
  }

export const view = { longEdge: 2048, pixels: 2048 * 1536 }
const SKIPPED = 'Not executed: an earlier action in this turn failed.'
const LONGEST_THOUGHT = 20_000
const LONGEST_ARGUMENTS = 400_000

/** Drives the machine with one of OpenAI's models. */
export class OpenAiPlanner extends TalkingPlanner<Reply> {
  protected override history: Item[] = []
  readonly #options: OpenAiOptions
  readonly #service: ResponsesService

  constructor(options: OpenAiOptions) {
    const model = options.model ?? DEFAULT_MODEL
    super('openai', model, view, options)
    this.#options = options
    this.#service = new ResponsesService({ ...options, model })
    if (options.saved !== undefined) this.restore(options.saved, z.array(Item))
  }

  protected override async ask(_observation: Observation, asking: Asking): Promise<Reply> {
    if (pictureCount(this.history) > (this.#options.mostPictures ?? 60))
      this.history = newestPart(this.history, this.#options.keepPictures ?? 10)
    return this.#service.ask({
      ...asking,
      instructions: systemPrompt(this.#options, 'Coordinates are pixels of the screenshot.'),
      items: this.history,
      pictures: this.pictures,
      screen: this.shownView(),
    })
  }

  protected override tell(observation: Observation): void {
    const words = interjections(observation.guidance, observation.notes)
    const content: Part[] = []
    if (this.history.length === 0)
      content.push({ type: 'text', text: taskText(observation.goal) }, this.#picture(observation))
    else if (this.batch) content.push(...this.#answers(this.batch.answers, observation))
    else {
      content.push({ type: 'text', text: this.nudge ?? 'Go on.' })
      if (this.isNew(observation)) content.push(this.#picture(observation))
    }
    content.push(...words.map((text): Part => ({ type: 'text', text })))
    if (content.length > 0) this.history.push({ type: 'user', content })
  }

  /** Outputs go in as items of their own; what cannot be said in them is said by the user. */
  #answers(answers: Answer[], observation: Observation): Part[] {
    const reply = lastReply(this.history)
    const calls = reply.filter((item) => item.type === 'computer_call')
    const denied = calls.some((call) => answers.find(({ id }) => id === permitId(call.call_id))?.outcome === 'failed')
    if (denied) return this.#takeBack(observation)
    const rest: Part[] = []
    for (const item of reply) {
      if (item.type === 'computer_call') {
        const acknowledged = item.pending_safety_checks
        this.history.push({
          type: 'computer_call_output',
          call_id: item.call_id,
          picture: this.show(observation),
          acknowledged,
        })
        rest.push(...troubles(answers, item.call_id))
      }
      if (item.type === 'function_call') {
        const answer = answers.find(({ id }) => id === item.call_id)
        const text =
          answer?.outcome === 'done' || answer?.outcome === 'failed' ? withOutput(answer.text, answer.output) : SKIPPED
        this.history.push({ type: 'function_call_output', call_id: item.call_id, text })
      }
    }
    if (calls.length === 0 && this.isNew(observation)) {
      rest.push(
        { type: 'text', text: describeSettle(observation.last?.settle ?? null, false, observation.frame) },
        this.#picture(observation),
      )
    }
    return rest
  }

  /** A call with warnings that nobody took the responsibility for cannot be answered: it is as if it was never made. */
  #takeBack(observation: Observation): Part[] {
    this.history = this.history.slice(0, lastReplyStart(this.history))
    return [
      { type: 'text', text: 'The person did not allow what you wanted to do next. Find another way, or give up.' },
      ...(this.isNew(observation) ? [this.#picture(observation)] : []),
    ]
  }

  #picture(observation: Observation): Part {
    return { type: 'picture', picture: this.show(observation) }
  }

  protected override take({ items, incomplete }: Reply): Turn {
    const thought = thoughtIn(items)
    const refusal = items
      .flatMap((item) => (item.type === 'message' ? item.content : []))
      .find(({ type }) => type === 'refusal')
    if (refusal?.type === 'refusal' || incomplete === 'content_filter') {
      const why = refusal?.type === 'refusal' ? refusal.refusal : 'Its provider stopped the answer.'
      return { kind: 'give_up', thought, reason: `The model refused to go on. ${why}` }
    }
    // Half an answer is not sent back: its reasoning would wait for what never came.
    const whole = incomplete === null ? items : []
    const calls = this.#callsIn(whole)
    this.history.push(...whole.map(shortened))
    if (calls.length > 0) return this.begin(calls, thought)
    this.nudge = incomplete ? nudges.cut : whole.length === 0 ? nudges.empty : nudges.noCall
    return this.unusable(thought, this.nudge)
  }

  protected override callsAgain(): Call[] {
    return this.#callsIn(lastReply(this.history))
  }

  #callsIn(items: OutputItem[]): Call[] {
    const shown = this.shownView()
    const mustAsk = this.#options.safetyChecks !== 'acknowledge'
    return items.flatMap((item): Call[] => {
      if (item.type === 'computer_call') return readComputerCall(item, shown, mustAsk)
      if (item.type !== 'function_call') return []
      return [{ id: item.call_id, meaning: readFunction(item.name, item.arguments, shown.toNative) }]
    })
  }
}

function readFunction(
  name: string,
  given: string,
  toNative: Parameters<(typeof leadingTools)[number]['read']>[1],
): Meaning {
  const own = [...leadingTools, ...guestTools].find((tool) => tool.name === name)
  if (!own) return { kind: 'wrong', problem: `There is no tool called ${name}.` }
  try {
    return own.read(JSON.parse(given), toNative)
  } catch {
    return { kind: 'wrong', problem: `The arguments of ${name} are not valid JSON. Nothing was done; call it again.` }
  }
}

/** The output of a computer call is a picture and nothing else, so failures are told beside it. */
function troubles(answers: Answer[], callId: string): Part[] {
  const own = answers.filter(({ id }) => id.startsWith(`${callId}#`))
  const failed = own.find(({ outcome }) => outcome === 'failed')
  if (!failed) return []
  const skipped = own.filter(({ outcome }) => outcome === 'skipped').length
  const rest = skipped > 0 ? ` The ${skipped} after it were not done.` : ''
  return [{ type: 'text', text: `An action failed: ${withOutput(failed.text, failed.output)}${rest}` }]
}

function thoughtIn(items: OutputItem[]): string {
  const words = items.flatMap((item) => {
    if (item.type === 'reasoning') return item.summary.map(({ text }) => text)
    return item.type === 'message'
      ? item.content.flatMap((part) => (part.type === 'output_text' ? [part.text] : []))
      : []
  })
  return clip(words.join('\n').trim(), LONGEST_THOUGHT)
}

function shortened(item: OutputItem): OutputItem {
  if (item.type === 'function_call' && item.arguments.length > LONGEST_ARGUMENTS) return { ...item, arguments: '{}' }
  if (item.type !== 'message') return item
  const content = item.content.map((part) =>
    part.type === 'output_text' ? { ...part, text: clip(part.text, LONGEST_ARGUMENTS) } : part,
  )
  return { ...item, content }
}
