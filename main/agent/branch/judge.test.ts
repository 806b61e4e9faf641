import { expect, test } from 'vitest'
import { JudgeRules } from '../../contract/branching.ts'
import type { StateDiff } from '../../contract/state-diff.ts'
import { noUsage } from '../../contract/usage.ts'
import { type Candidate, judge } from './judge.ts'
import { unwantedIn, wantedIn } from './rules.ts'
import { troubleIn } from './trouble.ts'

const rules = JudgeRules.parse({})
const diffWith = (files: Partial<StateDiff['files']>, unknown: string[] = []): StateDiff => ({
  files: { added: [], removed: [], changed: [], ...files },
  processes: { started: [], ended: [] },
  windows: { opened: [], closed: [], retitled: [] },
  packages: { installed: [], removed: [], changed: [] },
  ports: { opened: [], closed: [] },
  screen: { boxes: [], share: 0 },
  unknown,
})
const candidate = (option: number, part: Partial<Candidate> = {}, steps = 2): Candidate => ({
  option,
  plan: `way ${option}`,
  state: 'passed',
  verdict: 'Done.',
  checks: [],
  changes: [],
  wanted: [],
  unwanted: [],
  diff: null,
  frame: null,
  cost: { steps, failures: 0, ms: 1000, usage: noUsage },
  ...part,
})

test('checks come first: whose do not hold is out, however cheap it was', async () => {
  const { winner, reasons } = await judge(
    [candidate(0, { state: 'failed', verdict: 'No file.' }, 1), candidate(1)],
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
  expect((await judge([candidate(0, { state: 'failed' })], rules)).winner).toBeNull()
})

test('a tie is broken by whoever can judge it, else by the order of the ways; either is said', async () => {
  const tied = [candidate(0), candidate(1)]
  const first = await judge(tied, rules)
  expect([first.winner, first.reasons.get(0)?.at(-1)]).toEqual([0, expect.stringContaining('named first')])
  const judged = await judge(tied, rules, {
    breakTie: async () => ({ option: 1, by: 'a model', reason: 'It is tidier.' }),
  })
  expect([judged.winner, judged.reasons.get(1)?.at(-1)]).toEqual([1, 'Judged better by a model: It is tidier.'])
})

test('a hair’s breadth in cost is no reason: it counts only from a quarter on, unless the rules say otherwise', async () => {
  const close = [candidate(0, {}, 9), candidate(1, {}, 8)]
  const breakTie = async () => ({ option: 0, by: 'a model', reason: 'It is tidier.' })
  expect((await judge(close, rules, { breakTie })).winner).toBe(0)
  expect((await judge(close, { ...rules, slack: 0 }, { breakTie })).winner).toBe(1)
})

test('more of what is wanted comes before anything else, and is never held against a way', async () => {
  const named = { ...rules, wanted: ['/etc/hosts'] }
  const both = [candidate(0, {}, 1), candidate(1, { wanted: ['Changed /etc/hosts'] }, 9)]
  expect((await judge(both, named)).winner).toBe(1)
  const facts = { bytes: 1, modified: 1, mode: '644', owner: 'root' }
  const touched = diffWith({ changed: [{ path: '/etc/hosts', before: facts, after: facts }] })
  expect([wantedIn(touched, named), unwantedIn(touched, named)]).toEqual([['Changed /etc/hosts'], []])
  expect(unwantedIn(touched, rules)).toEqual(['Changed /etc/hosts'])
})

test('the last screen is read only when nothing else tells them apart; trouble on it counts', async () => {
  const read: string[] = []
  const help = {
    troubleOn: async (frame: string) => {
      read.push(frame)
      return troubleIn([{ text: frame === 'bad' ? 'Error: cannot save' : 'All saved' }])
    },
  }
  const seen = await judge([candidate(0, { frame: 'bad' }), candidate(1, { frame: 'good' })], rules, help)
  expect(seen.winner).toBe(1)
  expect(seen.reasons.get(0)?.at(-1)).toBe('Lines of trouble on its screen: 1, where another has 0.')
  read.length = 0
  await judge([candidate(0, { frame: 'bad' }, 2), candidate(1, { frame: 'good' }, 9)], rules, help)
  expect(read).toEqual([])
})

test('what could not be looked at is said', async () => {
  const { reasons } = await judge([candidate(0, { diff: diffWith({}, ['ports: too slow']) })], rules)
  expect(reasons.get(0)).toContain('Not everything could be looked at: ports: too slow')
})

test('caches and logs do not count; what is removed, and what belongs to the system, does', () => {
  const facts = { bytes: 1, modified: 1, mode: '644', owner: 'user' }
  const file = (path: string) => ({ path, ...facts })
  const diff = diffWith({
    added: [file('/home/user/new'), file('/etc/x')],
    removed: [file('/home/user/a'), file('/home/user/.cache/b')],
  })
  expect(unwantedIn(diff, rules)).toEqual(['Removed the file /home/user/a', 'Changed /etc/x'])
})
