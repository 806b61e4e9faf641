import type { Act } from '../../main/contract/action.ts'
import type { CheckedAssertion } from '../../main/contract/assertion.ts'
import type { Step } from '../../main/contract/task.ts'
import { frameOf, type Scene } from './fake-frames.ts'
import { aStep } from './samples.ts'

/** The make-believe task: what is thought, done and seen at each step. */

type Beat = {
  thought: string
  acts: Act[]
  scene: Scene
  checks?: CheckedAssertion[]
  verdict?: Step['verdict']
  ms: number
}

const poem = 'The sea has no editor.\nIt writes the same line twice\nand means it both times.'
const command = 'cat ~/poem.txt'

export const passed = (summary: string, evidence: Record<string, unknown> = {}): CheckedAssertion => ({
  assertion: { check: 'file_content', path: '/home/user/poem.txt', text: 'sea', match: 'contains' },
  verdict: { pass: true, summary, tookMs: 84, samples: 1, evidence },
})
export const missed = (summary: string, evidence: Record<string, unknown> = {}): CheckedAssertion => ({
  assertion: { check: 'window_open', title: 'Mousepad', match: 'contains' },
  verdict: { pass: false, summary, tookMs: 5012, samples: 24, evidence },
})

export const beats: Beat[] = [
  {
    thought: 'A fresh desktop. I look for the menu in the corner and open it.',
    acts: [{ type: 'click', at: { x: 24, y: 784 }, button: 'left', count: 1 }],
    scene: { menu: true },
    ms: 610,
  },
  {
    thought: 'The text editor is the first entry.',
    acts: [{ type: 'click', at: { x: 90, y: 594 }, button: 'left', count: 1 }],
    scene: { editor: '' },
    checks: [missed('Expected a window with “Mousepad” in its title within 5 s; saw none.', { windows: ['Desktop'] })],
    verdict: 'fail',
    ms: 5400,
  },
  {
    thought: 'It was slow to open, but there it is. I write the poem.',
    acts: [
      { type: 'click', at: { x: 400, y: 260 }, button: 'left', count: 1 },
      { type: 'type', text: poem },
    ],
    scene: { editor: poem },
    checks: [passed('The screen shows “no editor”, as expected.', { text: 'The sea has no editor.' })],
    verdict: 'pass',
    ms: 1840,
  },
  {
    thought: 'Save it as poem.txt in the home folder.',
    acts: [
      { type: 'key', chord: 'ctrl+s', repeat: 1 },
      { type: 'type', text: 'poem.txt' },
      { type: 'key', chord: 'enter', repeat: 1 },
    ],
    scene: { editor: poem, clock: '09:42' },
    checks: [passed('/home/user/poem.txt exists and contains “sea”.', { size: 74, path: '/home/user/poem.txt' })],
    verdict: 'pass',
    ms: 1220,
  },
  {
    thought: 'Now the terminal, to read it back with other eyes.',
    acts: [
      { type: 'key', chord: 'ctrl+alt+t', repeat: 1 },
      { type: 'wait', seconds: 0.5 },
    ],
    scene: { editor: poem, terminal: ['user@desktop:~$'], clock: '09:42' },
    ms: 980,
  },
  {
    thought: 'Print the file.',
    acts: [
      { type: 'type', text: `${command}\n` },
      { type: 'exec', command, timeoutSeconds: 60 },
    ],
    scene: {
      editor: poem,
      terminal: [`user@desktop:~$ ${command}`, ...poem.split('\n'), 'user@desktop:~$'],
      clock: '09:43',
    },
    checks: [
      passed('The command ended with 0 and printed the poem.', { exitCode: 0, stdout: poem }),
      passed('The screen shows “means it both times”.'),
    ],
    verdict: 'pass',
    ms: 1510,
  },
]

const boxes: Record<number, { x: number; y: number; width: number; height: number }[]> = {
  0: [{ x: 8, y: 560, width: 220, height: 204 }],
  1: [{ x: 120, y: 90, width: 620, height: 420 }],
  5: [{ x: 600, y: 362, width: 420, height: 130 }],
}

export async function stepOf(taskId: string, index: number, startedAt: number): Promise<Step> {
  const beat = beats[index % beats.length] ?? beats[0]
  if (!beat) throw new Error('the story has no beats')
  const previous = index === 0 ? {} : (beats[(index - 1) % beats.length]?.scene ?? {})
  return aStep({
    taskId,
    index,
    thought: beat.thought,
    actions: beat.acts.map((act) => ({ act, result: act.type === 'exec' ? { ok: true, text: poem } : { ok: true } })),
    before: await frameOf(previous),
    after: await frameOf(beat.scene),
    settle: { changed: true, settled: true, tookMs: 240, boxes: boxes[index] ?? [] },
    checks: beat.checks ?? [],
    verdict: beat.verdict ?? 'unchecked',
    startedAt: new Date(startedAt).toISOString(),
    timing: { planMs: 2, actMs: beat.ms * 0.45, settleMs: beat.ms * 0.35, verifyMs: beat.ms * 0.2, totalMs: beat.ms },
  })
}
