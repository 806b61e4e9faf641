import { z } from 'zod'
import type { Point } from '../../../contract/action.ts'
import type { Assertion } from '../../../contract/assertion.ts'
import { GodHandError } from '../../../contract/errors.ts'
import type { Mark } from '../../../contract/reading.ts'
import type { Usage } from '../../../contract/usage.ts'
import type { RawFrame } from '../../../sandbox/sandbox.ts'
import { decodePng } from '../../../screen/frames.ts'
import { drawMarks, listMarks, readMarks as readMarksOf } from '../../../screen/marks.ts'
import type { Observation, Turn } from '../../planner.ts'
import type { Answer, Call, Meaning } from '../conversation/call.ts'
import { interjections, nudges, taskText } from '../conversation/instructions.ts'
import { leadingTools } from '../conversation/own-tools.ts'
import { describeSettle } from '../conversation/reports.ts'
import { type Asking, type TalkingOptions, TalkingPlanner, type Tokens } from '../conversation/talking-planner.ts'
import { clip, markUntrusted, withOutput } from '../conversation/untrusted.ts'
import { type Claim, readAction, type Senses } from './actions.ts'
import { type ChatOptions, type ChatReply, ChatService } from './chat-service.ts'
import type { Format, Reading } from './formats/format.ts'
import { mappingOf, placeOn } from './grounding.ts'
import { ChatMessage, type Part, shortest, wireChat, withFewerPictures } from './history.ts'
import { firstObject } from './loose-json.ts'
import { namesPlaces, Pointing, type PointingOptions } from './pointing.ts'
import { formatNamed } from './presets.ts'

export type LocalOptions = ChatOptions &
  TalkingOptions &
  PointingOptions & {
    /** One of the presets; by the model's name when left out. */
    format?: string
    /** How things on the screen are found for a model that cannot point. */
    readMarks?: (frame: RawFrame) => Promise<Mark[]>
    /** Proof of the task, where it is known beforehand: small models cannot always name one. */
    checks?: Assertion[]
  }

const MOST_PICTURES = 6
const KEEP_PICTURES = 3
const LONGEST_ANSWER = 20_000
const PROOF_MS = 10_000
const BLIND =
  'This model cannot be trusted to point at places on this server, so nothing is clicked there. Name a mark by its number ("mark": 3 instead of a place), or use the keyboard and commands.'
const MARKS =
  'Things on the screen are numbered. To click one, give its number as "mark" instead of a place, for example {"mark": 3}:'
const PROVE =
  'Prove it: answer with one JSON object and nothing else, {"checks": [...]}. Each check is like {"check": "file_content", "path": "/home/user/a.txt", "text": "hello"}, {"check": "file_exists", "path": "…"}, {"check": "text_visible", "text": "…"}, {"check": "window_open", "title": "…"}, {"check": "process_running", "name": "…"} or {"check": "command", "argv": ["…"], "output": {"text": "…"}}.'

/** Drives the machine with a model on any OpenAI-compatible chat server. */
export class LocalPlanner extends TalkingPlanner<ChatReply> {
  protected override history: ChatMessage[] = []
  readonly #options: LocalOptions
  readonly #format: Format
  readonly #service: ChatService
  readonly #pointing: Pointing
  readonly #pointer: Senses['pointer'] = { at: null }
  #marks = new Map<number, Point>()

  constructor(options: LocalOptions) {
    const format = formatNamed(options.format, options.model)
    super('local', options.model, format.view, options)
    this.#options = options
    this.#format = format
    this.#service = new ChatService(options)
    this.#pointing = new Pointing(options)
    if (options.saved !== undefined) this.restore(options.saved, z.array(ChatMessage))
  }

  /** What runs on the person's own computer costs nothing. */
  protected override price(tokens: Tokens): Usage {
    return isOwnComputer(this.#options.baseUrl) ? { ...tokens, usd: 0 } : super.price(tokens)
  }

  protected override async ask(observation: Observation, asking: Asking): Promise<ChatReply> {
    const reply = await this.#question(observation, asking)
    if (namesPlaces(this.#format.read(reply))) await this.#pointing.learn(observation.frame, asking)
    return reply
  }

  async #question(observation: Observation, asking: Asking): Promise<ChatReply> {
    if (this.#calibration()?.blind) await this.#showMarks(observation)
    this.history = withFewerPictures(this.history, MOST_PICTURES, KEEP_PICTURES)
    const put = async (messages: ChatMessage[]) =>
      this.#service.ask({
        ...asking,
        messages: await wireChat(this.#format.prompt(this.#options), messages, this.pictures),
        tools: this.#format.calls !== 'server' ? null : this.#calibration()?.blind ? 'marks' : 'places',
      })
    try {
      return await put(this.history)
    } catch (thrown) {
      if (!isTooLong(thrown)) throw thrown
      asking.onNotice('The conversation is longer than the model can hold. Going on with the end of it.')
      this.history = shortest(this.history)
      return put(this.history).catch((again) => {
        if (!isTooLong(again)) throw again
        throw new GodHandError('capacity', 'The model server has too little room for a single screenshot.', {
          hint: 'Start it with a longer context (Ollama: num_ctx, llama.cpp: --ctx-size, vLLM: --max-model-len), at least 16384.',
          cause: again,
        })
      })
    }
  }

  protected override tell(observation: Observation): void {
    const content: Part[] = []
    if (this.history.length === 0) content.push({ type: 'text', text: taskText(observation.goal) })
    else if (this.batch) this.#tellAnswers(this.batch.answers, content)
    else content.push({ type: 'text', text: this.nudge ?? 'Go on.' })
    const words = interjections(observation.guidance, observation.notes)
    content.push(...words.map((text): Part => ({ type: 'text', text })))
    for (const { shows } of this.batch?.answers ?? [])
      if (shows && shows !== 'screen') content.push({ type: 'picture', picture: this.show(observation, shows) })
    const same = this.history.length > 0 && !this.isNew(observation)
    content.push({ type: 'text', text: describeSettle(observation.last?.settle ?? null, same, observation.frame) })
    // These models only see what is before them: the screen is shown every time.
    content.push({ type: 'picture', picture: this.show(observation) })
    this.history.push({ role: 'user', content })
  }

  #tellAnswers(answers: Answer[], content: Part[]): void {
    const asked = this.#lastAnswer()?.calls ?? []
    for (const answer of answers) {
      const text = answer.outcome === 'skipped' ? 'Not done: something before it failed.' : answer.text
      const words = withOutput(text, answer.output)
      if (asked.some(({ id }) => id === answer.id)) this.history.push({ role: 'tool', id: answer.id, text: words })
      else if (words !== 'OK') content.push({ type: 'text', text: words })
    }
    // Every call through the server needs an answer, also one that was not understood.
    for (const { id } of asked)
      if (!answers.some((answer) => answer.id === id)) this.history.push({ role: 'tool', id, text: 'Not understood.' })
  }

  protected override take(reply: ChatReply): Turn {
    const reading = this.#format.read(reply)
    const thought = clip(reading.thought, LONGEST_ANSWER)
    if (reply.refusal !== '' || reply.stopReason === 'content_filter') {
      const why = clip(reply.refusal, LONGEST_ANSWER) || 'The server stopped its answer.'
      return { kind: 'give_up', thought, reason: `The model refused to go on. ${why}` }
    }
    const calls = this.#format.calls === 'server' ? reply.calls.map(shortenedCall) : []
    const text = clip(reply.text, LONGEST_ANSWER)
    if (text.trim() !== '' || calls.length > 0)
      this.history.push({ role: 'assistant', text, reasoning: clip(reply.reasoning, LONGEST_ANSWER), calls })
    const understood = this.#callsIn(reading, reply.text)
    if (understood.length > 0) return this.begin(understood, thought)
    const empty = reply.text.trim() === '' && reply.calls.length === 0
    this.nudge = reply.stopReason === 'length' ? nudges.cut : empty ? nudges.empty : (reading.problem ?? nudges.noCall)
    return this.unusable(thought, this.nudge)
  }

  protected override callsAgain(): Call[] {
    const last = this.#lastAnswer()
    return last ? this.#callsIn(this.#format.read(last), last.text) : []
  }

  #callsIn(reading: Reading, text: string): Call[] {
    const proof = proofIn(text)
    if (proof) return [{ id: 'proof', meaning: proof }]
    const senses = this.#senses()
    return reading.actions.map((action, index) => ({
      id: action.id ?? `action_${index}`,
      meaning: this.#proven(readAction(action, senses)),
    }))
  }

  /** Saying that it is done is not enough. */
  #proven(meaning: Meaning | Claim): Meaning {
    if (meaning.kind !== 'claim') return meaning
    if (!meaning.success) return { kind: 'give_up', reason: meaning.summary }
    const { checks } = this.#options
    if (checks && checks.length > 0) return { kind: 'finish', summary: meaning.summary, checks, timeoutMs: PROOF_MS }
    return { kind: 'wrong', problem: PROVE }
  }

  #senses(): Senses {
    const screen = this.shown ?? { width: 1, height: 1 }
    const calibration = this.#calibration()
    const mapping = calibration?.mapping ?? mappingOf(this.#format.space, this.shownView())
    return {
      place: (point) => placeOn(mapping, screen, point),
      blind: calibration?.blind ? BLIND : null,
      marks: this.#marks,
      pointer: this.#pointer,
    }
  }

  /** Numbers what can be named on the screen, in the picture and as a list. */
  async #showMarks({ frame, frameHash }: Observation): Promise<void> {
    const { readMarks = readMarksOf } = this.#options
    const marks = await readMarks(frame)
    this.#marks = new Map(marks.map(({ number, point }) => [number, point]))
    const last = this.history.at(-1)
    if (last?.role !== 'user' || marks.length === 0) return
    const numbered = await decodePng(await drawMarks(frame, marks))
    const content = last.content.filter(({ type }) => type === 'text')
    content.push({ type: 'text', text: `${MARKS}\n${markUntrusted(listMarks(marks))}` })
    content.push({ type: 'picture', picture: this.pictures.add(numbered, `${frameHash}#marks`) })
    this.history[this.history.length - 1] = { ...last, content }
  }

  #calibration() {
    return this.#pointing.on(this.shown)
  }

  #lastAnswer(): (ChatMessage & { role: 'assistant' }) | undefined {
    return this.history.findLast((message) => message.role === 'assistant')
  }
}

/** The answer to the question for a proof. */
function proofIn(text: string): Meaning | null {
  const Proof = z.object({ checks: z.array(z.unknown()).min(1), summary: z.string().optional() })
  const given = Proof.safeParse(firstObject(text))
  if (!given.success) return null
  const finish = leadingTools.find(({ name }) => name === 'finish')
  const { checks, summary = 'The model says the task is done.' } = given.data
  return finish?.read({ summary, checks }, (point) => point) ?? null
}

function shortenedCall<C extends { arguments: string }>(call: C): C {
  return { ...call, arguments: call.arguments.length > LONGEST_ANSWER ? '{}' : call.arguments }
}

function isTooLong(thrown: unknown): boolean {
  return (
    thrown instanceof GodHandError &&
    thrown.code === 'bad_request' &&
    /context|too long|too many tokens|exceed/i.test(thrown.message)
  )
}

function isOwnComputer(baseUrl: string): boolean {
  return /^https?:\/\/(localhost|127\.|\[::1\]|0\.0\.0\.0)/.test(baseUrl)
}
