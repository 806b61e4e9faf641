import { expect, test } from 'vitest'
import { JudgeRules } from '../../contract/branching.ts'
import type { StateDiff } from '../../contract/state-diff.ts'
import { noUsage } from '../../contract/usage.ts'
import { type Candidate, judge } from './judge.ts'
import { unwantedIn } from './rules.ts'

const rules = JudgeRules.parse({})
const candidate = (option: number, part: Partial<Candidate> = {}, steps = 2): Candidate => ({
  option,
  passed: true,
  verdict: 'Done.',
  unwanted: [],
  cost: { steps, failures: 0, ms: 1000, usage: noUsage },
  ...part,
})

test('checks come first: whose do not hold is out, however cheap it was', async () => {
  const { winner, reasons } = await judge(
    [candidate(0, { passed: false, verdict: 'No file.' }, 1), candidate(1)],
    rules,
  )
  expect(winner).toBe(1)
  expect(reasons.get(0)).toEqual(['Its checks do not hold: No file.'])
})

test('unwanted changes weigh more than steps, and the order is the person’s to change', async () => {
  const both = [candidate(0, { unwanted: ['Removed the file /home/user/a'] }, 1), candidate(1, {}, 9)]
  expect((await judge(both, rules)).winner).toBe(1)
  expect((await judge(both, { ...rules, order: ['steps', 'unwanted'] })).winner).toBe(0)
})

test('nobody wins where nobody passed', async () => {
  expect((await judge([candidate(0, { passed: false })], rules)).winner).toBeNull()
})

test('a tie is broken by whoever can judge it, else by the order of the ways; either is said', async () => {
  const tied = [candidate(0), candidate(1)]
  const first = await judge(tied, rules)
  expect([first.winner, first.reasons.get(0)?.at(-1)]).toEqual([0, expect.stringContaining('named first')])
  const judged = await judge(tied, rules, async () => ({ option: 1, reason: 'It is tidier.' }))
  expect([judged.winner, judged.reasons.get(1)?.at(-1)]).toEqual([1, 'Judged better: It is tidier.'])
})

test('caches and logs do not count; what is removed, and what belongs to the system, does', () => {
  const facts = { bytes: 1, modified: 1, mode: '644', owner: 'user' }
  const file = (path: string) => ({ path, ...facts })
  const diff: StateDiff = {
    files: {
      added: [file('/home/user/new'), file('/etc/x')],
      removed: [file('/home/user/a'), file('/home/user/.cache/b')],
      changed: [],
    },
    processes: { started: [], ended: [] },
    windows: { opened: [], closed: [], retitled: [] },
    packages: { installed: [], removed: [], changed: [] },
    ports: { opened: [], closed: [] },
    screen: { boxes: [], share: 0 },
    unknown: [],
  }
  expect(unwantedIn(diff, rules)).toEqual(['Removed the file /home/user/a', 'Changed /etc/x'])
})
