import type { Act } from '../../../contract/action.ts'
import type { Assertion, CheckedAssertion } from '../../../contract/assertion.ts'
import type { ActResult } from '../../../contract/task.ts'
import type { RawFrame } from '../../../sandbox/sandbox.ts'
import { encodePng, hashFrame } from '../../../screen/frames.ts'
import type { LastTurn, Observation, Planner, Turn } from '../../planner.ts'
import { isLook } from '../conversation/call.ts'

export type StageOptions = {
  screen?: { width: number; height: number }
  act?: (act: Act) => ActResult
  check?: (assertion: Assertion) => boolean
  answer?: string
}

/** Plays the loop's part for a planner, without a machine: a screen that changes whenever something is done. */
export class Stage {
  readonly turns: Turn[] = []
  readonly acts: Act[] = []
  readonly thoughts: string[] = []
  readonly notices: string[] = []
  readonly frames = new Map<string, Buffer>()
  readonly signal = new AbortController()
  last: LastTurn | null = null
  guidance: string[] = []
  notes: string[] = []
  #painted = 0
  readonly #options: StageOptions

  constructor(options: StageOptions = {}) {
    this.#options = options
  }

  /** One step: what the planner decided, done. */
  async step(planner: Planner, goal = 'Write hello into /home/user/hello.txt'): Promise<Turn> {
    const frame = this.#paint()
    const frameHash = await hashFrame(frame)
    this.frames.set(frameHash, await encodePng(frame))
    const observation: Observation = {
      goal,
      stepIndex: this.turns.length,
      frame,
      frameHash,
      last: this.last,
      guidance: this.guidance.splice(0),
      notes: this.notes.splice(0),
      onThought: (delta) => this.thoughts.push(delta),
      onNotice: (text) => this.notices.push(text),
    }
    const turn = await planner.next(observation, this.signal.signal)
    this.turns.push(turn)
    this.last = this.#perform(turn)
    return turn
  }

  /** Until it is finished or given up. */
  async play(planner: Planner, most = 50): Promise<Turn> {
    for (let n = 0; n < most; n++) {
      const turn = await this.step(planner)
      const done = turn.kind === 'finish' && this.last?.checks.every(({ verdict }) => verdict.pass)
      if (done || turn.kind === 'give_up') return turn
    }
    throw new Error(`Not over after ${most} steps.`)
  }

  #perform(turn: Turn): LastTurn {
    const results: ActResult[] = []
    for (const act of turn.kind === 'act' ? turn.acts : []) {
      this.acts.push(act)
      const result = this.#options.act?.(act) ?? { ok: true }
      results.push(result)
      if (!result.ok) break
      if (!isLook(act)) this.#painted++
    }
    const asked = turn.kind === 'act' ? turn.expect : turn.kind === 'finish' ? turn.checks : []
    const settle = { changed: true, settled: true, tookMs: 1, boxes: [] }
    const answer = turn.kind === 'ask' && this.#options.answer ? { answer: this.#options.answer } : {}
    return {
      turn,
      results,
      settle: results.length > 0 ? settle : null,
      checks: asked.map((a) => this.#check(a)),
      ...answer,
    }
  }

  #check(assertion: Assertion): CheckedAssertion {
    const pass = this.#options.check?.(assertion) ?? true
    const summary = pass ? 'It is so.' : 'It is not so.'
    return { assertion, verdict: { pass, summary, tookMs: 1, samples: 1, evidence: {} } }
  }

  #paint(): RawFrame {
    const { width, height } = this.#options.screen ?? { width: 1280, height: 800 }
    const rgb = Buffer.alloc(width * height * 3, (this.#painted * 7) % 256)
    rgb.writeUInt32BE(this.#painted, 0)
    return { width, height, rgb }
  }
}

export const quick = { attempts: 4, firstDelayMs: 1, longestDelayMs: 5 }
