import { z } from 'zod'
import { Act, Region } from '../../../contract/action.ts'
import type { Assertion } from '../../../contract/assertion.ts'
import { GodHandError } from '../../../contract/errors.ts'
import type { ActResult } from '../../../contract/task.ts'
import { isTreeAct } from '../../../contract/tree-act.ts'
import type { LastTurn, Turn } from '../../planner.ts'
import { checksInWords } from '../../verify/in-words.ts'
import { type Answer, type Call, isLook, type Meaning } from './call.ts'
import { describeCheck, describeExpectation, describeRefusedFinish, numbered } from './reports.ts'

const INTERRUPTED =
  'Interrupted: GodHand was restarted while this was under way, so it may or may not have happened. Look before going on.'
const UNANSWERED = 'GodHand was restarted before the person answered. Ask again if you still need to know.'
const UNCHECKED = 'GodHand was restarted before this was checked. Look before going on, and state it again.'
const NOT_ALLOWED = 'The person did not allow it.'
const DEFAULT_TIMEOUT_MS = 10_000
/** The screen is at rest by then: what is quoted is there or it is not. */
const WORDS_TIMEOUT_MS = 3000

/** Where a batch stands. Calls are not in it: they are read again from the conversation. */
export const BatchState = z.object({
  at: z.number().int().nonnegative(),
  running: z.array(z.number().int().nonnegative()),
  second: Act.nullable(),
  stopped: z.boolean(),
  answers: z.array(
    z.object({
      id: z.string(),
      outcome: z.enum(['done', 'failed', 'skipped']),
      text: z.string(),
      output: z.string().optional(),
      shows: z.union([z.literal('screen'), Region]).optional(),
    }),
  ),
})
export type BatchState = z.infer<typeof BatchState>

/**
 * The calls of one model answer, done in order and in as few turns as the loop allows: acts go together until one of
 * them must be looked at. The first failure ends the batch; what is left is answered as not tried.
 */
export class Batch {
  readonly #calls: Call[]
  readonly #answers = new Map<string, Answer>()
  #at = 0
  #running: number[] = []
  #second: Act | null = null // the other half of the running call: writing what was read and changed
  #trouble: string | null = null // why the first half of a look at a file failed
  #stopped = false

  constructor(calls: Call[], saved?: BatchState) {
    this.#calls = calls
    if (!saved) return
    this.#at = saved.at
    this.#running = saved.running.filter((index) => index < calls.length)
    this.#second = saved.second
    this.#stopped = saved.stopped
    for (const { output, shows, ...answer } of saved.answers)
      this.#answers.set(answer.id, {
        ...answer,
        ...(output === undefined ? {} : { output }),
        ...(shows === undefined ? {} : { shows }),
      })
  }

  /** One for each call, in the order of the calls. Whole once `next` has returned null. */
  get answers(): Answer[] {
    return this.#calls.flatMap(({ id }) => this.#answers.get(id) ?? [])
  }

  /** Whether anything was done that can have changed the screen. */
  get touched(): boolean {
    return this.#calls.some(
      ({ id, meaning }) =>
        this.#answers.get(id)?.outcome !== 'skipped' && meaning.kind === 'act' && !isLook(meaning.act),
    )
  }

  save(): BatchState {
    return {
      at: this.#at,
      running: this.#running,
      second: this.#second,
      stopped: this.#stopped,
      answers: this.answers,
    }
  }

  /** The turn to do next, or null when every call has its answer. */
  next(thought: string): Turn | null {
    this.#running = []
    if (this.#second) {
      this.#running = [this.#at - 1]
      const acts = [this.#second]
      return { kind: 'act', thought, acts, expect: [], timeoutMs: DEFAULT_TIMEOUT_MS }
    }
    const acts: Act[] = []
    const expect: Assertion[] = []
    const unproven: string[] = []
    let timeoutMs = 0
    let before: Meaning | null = null
    for (; !this.#stopped; this.#at++) {
      const call = this.#calls[this.#at]
      if (!call || (before && !goesWith(before, call.meaning))) break
      const { meaning } = call
      if (meaning.kind === 'say') this.#answer(call, 'done', meaning.text)
      else if (meaning.kind === 'wrong') this.#fail(call, meaning.problem)
      else {
        this.#running.push(this.#at)
        before = meaning
        if (meaning.kind === 'act') acts.push(meaning.act)
        else if (meaning.kind === 'view' || meaning.kind === 'edit')
          acts.push({ type: 'read_file', path: meaning.path })
        else if (meaning.kind === 'check') {
          expect.push(meaning.assertion)
          timeoutMs = Math.max(timeoutMs, meaning.timeoutMs)
        } else if (meaning.kind === 'expect') {
          const checks = checksInWords(meaning.words)
          expect.push(...checks)
          if (checks.length === 0) unproven.push(meaning.words)
          timeoutMs = Math.max(timeoutMs, WORDS_TIMEOUT_MS)
        } else {
          this.#at++
          return conclude(meaning, thought)
        }
      }
    }
    const words = unproven.length > 0 ? { unproven } : {}
    if (before) return { kind: 'act', thought, acts, expect, timeoutMs: timeoutMs || DEFAULT_TIMEOUT_MS, ...words }
    for (; this.#at < this.#calls.length; this.#at++) this.#answer(this.#calls[this.#at], 'skipped', '')
    return null
  }

  /** What came of the turn that `next` gave out; null when nobody knows any more. */
  settle(last: LastTurn | null): void {
    const running = this.#running.map((index) => this.#calls[index])
    const second = this.#second
    this.#running = []
    this.#second = null
    const results = [...(last?.results ?? [])]
    const checks = [...(last?.checks ?? [])]
    for (const call of running) {
      if (!call) continue
      if (!last) this.#fail(call, interrupted(call.meaning))
      else if (this.#stopped) this.#answer(call, 'skipped', '')
      else if (call.meaning.kind === 'check') {
        const checked = checks.shift()
        const report = checked ? describeCheck(checked) : { ok: false, text: 'It was not checked.' }
        if (!report.ok) this.#stopped = true
        this.#answer(call, report.ok ? 'done' : 'failed', report.text, report.output)
      } else if (call.meaning.kind === 'expect') {
        const report = describeExpectation(checks.splice(0, checksInWords(call.meaning.words).length), last.change)
        if (!report.ok) this.#stopped = true
        this.#answer(call, report.ok ? 'done' : 'failed', report.text, report.output)
      } else if (call.meaning.kind === 'finish') this.#fail(call, ...describeRefusedFinish(last.checks))
      else if (call.meaning.kind === 'permit') {
        if (saysYes(last.answer)) this.#answer(call, 'done', 'The person allowed it.')
        else this.#fail(call, NOT_ALLOWED)
      } else if (call.meaning.kind === 'ask')
        this.#answer(call, 'done', last.answer ?? 'Nobody is there to answer. Decide by yourself, or give up.')
      else this.#take(call, results.shift(), second !== null)
    }
  }

  #take(call: Call, result: ActResult | undefined, isSecond: boolean): void {
    const { meaning } = call
    if (meaning.kind === 'view' && result) this.#takeView(call, meaning, result, isSecond)
    else if (!result) this.#answer(call, 'skipped', '')
    else if (!result.ok) this.#fail(call, failure(result), result.text)
    else if (meaning.kind === 'edit' && !isSecond) {
      try {
        this.#second = { type: 'write_file', path: meaning.path, text: meaning.change(result.text ?? '') }
      } catch (thrown) {
        this.#fail(call, GodHandError.from(thrown).message)
      }
    } else if (meaning.kind === 'edit') this.#answer(call, 'done', `${meaning.path} was changed.`)
    else {
      this.#answer(call, 'done', result.said ?? 'OK', result.text, meaning.kind === 'act' ? meaning.shows : undefined)
      // What was planned after it was planned for another machine.
      if (meaning.kind === 'act' && (meaning.act.type === 'branch' || meaning.act.type === 'rollback'))
        this.#stopped = true
    }
  }

  /** What cannot be read as a file may be a folder. */
  #takeView(call: Call, view: Meaning & { kind: 'view' }, result: ActResult, isSecond: boolean): void {
    const listing = isSecond && result.ok && result.text?.trimEnd().endsWith('exit code 0')
    if (!isSecond && result.ok) this.#answer(call, 'done', `${view.path}:`, numbered(result.text ?? '', view.lines))
    else if (listing) this.#answer(call, 'done', `${view.path} is a folder. It holds:`, result.text)
    else if (isSecond) this.#fail(call, this.#trouble ?? `${view.path} cannot be read.`)
    else {
      this.#trouble = failure(result)
      this.#second = { type: 'exec', command: `ls -la -- ${quoted(`${view.path}/`)}`, timeoutSeconds: 20 }
    }
  }

  #fail(call: Call, text: string, output?: string): void {
    this.#stopped = true
    this.#answer(call, 'failed', text, output)
  }

  #answer(call: Call | undefined, outcome: Answer['outcome'], text: string, output?: string, shows?: Answer['shows']) {
    if (!call) return
    this.#answers.set(call.id, {
      id: call.id,
      outcome,
      text,
      ...(output ? { output } : {}),
      ...(shows ? { shows } : {}),
    })
  }
}

/** What is known of a call that was under way when the last engine ended. */
function interrupted({ kind }: Meaning): string {
  if (kind === 'ask' || kind === 'permit') return UNANSWERED
  return kind === 'check' || kind === 'expect' || kind === 'finish' ? UNCHECKED : INTERRUPTED
}

/** Whether a call may share a turn with the one before it: nothing is done on top of a look that nobody has seen yet. */
function goesWith(before: Meaning, next: Meaning): boolean {
  const states = ({ kind }: Meaning) => kind === 'check' || kind === 'expect'
  if (states(before)) return states(next)
  if (before.kind !== 'act' || isTreeAct(before.act)) return false // another machine may be there afterwards
  if (next.kind === 'act' && isTreeAct(next.act)) return false
  if (next.kind === 'act') return isLook(next.act) || !isLook(before.act)
  return states(next) || ((next.kind === 'view' || next.kind === 'edit') && !isLook(before.act))
}

function conclude(meaning: Meaning & { kind: 'finish' | 'ask' | 'permit' | 'give_up' }, thought: string): Turn {
  if (meaning.kind === 'permit') return { ...meaning, kind: 'ask', thought }
  return { ...meaning, thought }
}

function saysYes(answer: string | undefined): boolean {
  return /^\s*(y|yes|yeah|ok|okay|sure|allow|allowed|go|go on|go ahead)\b/i.test(answer ?? '')
}

function failure({ error }: ActResult): string {
  return error ? `${error.message}${error.hint ? ` ${error.hint}` : ''}` : 'It failed.'
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
