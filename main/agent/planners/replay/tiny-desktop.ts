import type { Act, Point } from '../../../contract/action.ts'
import type { Assertion, CheckedAssertion } from '../../../contract/assertion.ts'
import type { Settle, Step, Task } from '../../../contract/task.ts'
import type { RawFrame } from '../../../sandbox/sandbox.ts'
import { diffFrames } from '../../../screen/diff.ts'
import type { LastTurn, Planner, Turn } from '../../planner.ts'
import type { Recording } from './recording.ts'

/** A desktop for tests: a window with a button that opens a dialog, and a line that shows what was typed. */
export class TinyDesktop {
  window: Point
  hasApp: boolean
  dialogAfterLooks: number
  dialog = false
  typed = ''
  #looks = 0

  constructor({ window = { x: 60, y: 50 }, hasApp = true, dialogAfterLooks = 0 } = {}) {
    this.window = window
    this.hasApp = hasApp
    this.dialogAfterLooks = dialogAfterLooks
  }

  get button(): Point {
    return { x: this.window.x + 60, y: this.window.y + 80 }
  }

  act(act: Act): void {
    const at = act.type === 'click' ? act.at : undefined
    const hit = at && this.hasApp && Math.abs(at.x - this.button.x) < 30 && Math.abs(at.y - this.button.y) < 10
    if (hit) this.dialog = true
    if (act.type === 'type') this.typed += act.text
  }

  capture(): RawFrame {
    const frame = { width: 640, height: 400, rgb: Buffer.alloc(640 * 400 * 3) }
    fill(frame, 0, 0, 640, 400, [40, 70, 110])
    if (this.hasApp) {
      fill(frame, this.window.x, this.window.y, 240, 150, [235, 235, 235])
      fill(frame, this.window.x, this.window.y, 240, 18, [20, 20, 90])
      letters(frame, this.window.x + 8, this.window.y + 5, 'Editor')
      fill(frame, this.button.x - 30, this.button.y - 10, 60, 20, [180, 200, 180])
      letters(frame, this.button.x - 22, this.button.y - 4, 'Open')
    }
    if (this.dialog && this.#looks++ >= this.dialogAfterLooks) {
      fill(frame, 330, 180, 220, 150, [250, 220, 120])
      letters(frame, 340, 190, this.typed)
    }
    return frame
  }

  check(assertion: Assertion): CheckedAssertion {
    const pass = assertion.check === 'text_visible' && this.dialog && this.typed.includes(assertion.text)
    const summary = pass
      ? 'It is there.'
      : `“${assertion.check === 'text_visible' ? assertion.text : ''}” is not there.`
    return { assertion, verdict: { pass, summary, tookMs: 1, samples: 1, evidence: {} } }
  }
}

type Colour = [number, number, number]

function fill(frame: RawFrame, x0: number, y0: number, width: number, height: number, colour: Colour): void {
  for (let y = y0; y < y0 + height; y++)
    for (let x = x0; x < x0 + width; x++) frame.rgb.set(colour, (y * frame.width + x) * 3)
}

/** Not readable, but different for different words, and as fine as writing. */
function letters(frame: RawFrame, x: number, y: number, text: string): void {
  ;[...text].forEach((letter, n) => {
    const code = letter.charCodeAt(0)
    for (let bit = 0; bit < 7; bit++)
      for (let row = 0; row < 7; row++)
        if ((code * (row + 3)) & (1 << bit)) fill(frame, x + n * 8 + bit, y + row, 1, 1, [10, 10, 10])
  })
}

export type Script = { thought: string; acts: Act[]; expect?: Assertion[] }[]

/** What a run of these steps on the desktop would have left in the store. */
export function recorded(desktop: TinyDesktop, script: Script, part: Partial<Task> = {}): Recording {
  const pictures = new Map<string, RawFrame>()
  const keep = (frame: RawFrame) => {
    const name = `frame ${pictures.size}`
    pictures.set(name, frame)
    return name
  }
  const steps = script.map(({ thought, acts, expect = [] }, index): Step => {
    const before = desktop.capture()
    for (const act of acts) desktop.act(act)
    const after = desktop.capture()
    const checks = expect.map((assertion) => desktop.check(assertion))
    return {
      taskId: 'task_1',
      index,
      thought,
      actions: acts.map((act) => ({ act, result: { ok: true } })),
      before: keep(before),
      after: keep(after),
      settle: acts.length > 0 ? settled(before, after) : null,
      checks,
      verdict: checks.length > 0 ? 'pass' : 'unchecked',
      snapshotBefore: null,
      snapshotAfter: null,
      startedAt: '2026-01-01T12:00:00.000Z',
      timing: { planMs: 0, actMs: 0, settleMs: 0, verifyMs: 0, totalMs: 0 },
    }
  })
  const task: Task = {
    id: 'task_1',
    goal: 'Open it',
    image: 'desktop',
    planner: 'script',
    state: 'succeeded',
    machineId: null,
    verdict: 'It is open.',
    error: null,
    checks: steps.at(-1)?.checks ?? [],
    stepCount: steps.length,
    createdAt: '2026-01-01T12:00:00.000Z',
    startedAt: null,
    endedAt: null,
    ...part,
  }
  return { task, steps, frame: (hash) => Promise.resolve(pictures.get(hash) ?? null) }
}

/** Lets a planner loose on the desktop, as the loop would. */
export async function letPlay(
  planner: Planner,
  desktop: TinyDesktop,
  answer?: (question: string) => string | undefined,
): Promise<{ end: Turn; acts: Act[]; thoughts: string[] }> {
  const done: Act[] = []
  const thoughts: string[] = []
  let last: LastTurn | null = null
  for (let stepIndex = 0; stepIndex < 100; stepIndex++) {
    const frame = desktop.capture()
    const turn = await planner.next({ goal: '', stepIndex, frame, frameHash: '', last }, new AbortController().signal)
    thoughts.push(turn.thought)
    if (turn.kind === 'ask' && answer) {
      const said = answer(turn.question)
      last = { turn, results: [], settle: null, checks: [], ...(said === undefined ? {} : { answer: said }) }
      continue
    }
    if (turn.kind !== 'act' && turn.kind !== 'finish') return { end: turn, acts: done, thoughts }
    const assertions = turn.kind === 'finish' ? turn.checks : turn.expect
    if (turn.kind === 'act')
      for (const act of turn.acts) {
        desktop.act(act)
        done.push(act)
      }
    const checks = assertions.map((assertion) => desktop.check(assertion))
    if (turn.kind === 'finish' && checks.every(({ verdict }) => verdict.pass))
      return { end: turn, acts: done, thoughts }
    const acts = turn.kind === 'act' ? turn.acts : []
    last = { turn, results: acts.map(() => ({ ok: true })), settle: settled(frame, desktop.capture()), checks }
  }
  throw new Error('it never ended')
}

function settled(before: RawFrame, after: RawFrame): Settle {
  const { boxes } = diffFrames(before, after)
  return { changed: boxes.length > 0, settled: true, tookMs: 1, boxes }
}
