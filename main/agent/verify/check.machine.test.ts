import { createHash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Assertion, type AssertionInput, type Verdict } from '../../contract/assertion.ts'
import { openTestDriver, type TestDriver } from '../../sandbox/qemu/testing.ts'
import type { RawFrame, Sandbox } from '../../sandbox/sandbox.ts'
import { hashFrame } from '../../screen/frames.ts'
import { openBrowserMachine } from '../../screen/testing/browser-machine.ts'
import { atRest, openPage, start } from '../../screen/testing/guest-programs.ts'
import { closeTextReader, readText } from '../../screen/text/read-text.ts'
import { checkAssertion } from './check.ts'

/** Every kind of statement on a real desktop: one that holds, one that does not, one that comes true while things move. */

let test: TestDriver
let machine: Sandbox
let bare: RawFrame
const frames = new Map<string, RawFrame>()

beforeAll(async () => {
  test = await openTestDriver()
  await test.driver.prepare('desktop', () => {})
  machine = await test.driver.create({ id: 'checks', image: 'desktop' })
  bare = await atRest(machine)
  frames.set(await hashFrame(bare), bare)
})
afterEach(async () => {
  await machine.exec('pkill xterm; rm -f /tmp/late /tmp/begun')
})
afterAll(async () => {
  await closeTextReader()
  await test.close()
})

function check(assertion: AssertionInput, timeoutMs: number): Promise<Verdict> {
  const frame = async (hash: string) => frames.get(hash) ?? null
  return checkAssertion({ sandbox: machine, frame, readText, before: bare }, Assertion.parse(assertion), { timeoutMs })
}

/** A terminal whose lines run over the screen until the file /tmp/late is made; then it does what `ending` says. */
async function commotion(ending: string): Promise<void> {
  const busy = 'touch /tmp/begun; while [ ! -e /tmp/late ]; do date; sleep 0.1; done'
  await start(machine, ['xterm', '-title', 'Stage', '-geometry', '60x12+300+120', '-e', `sh -c '${busy}; ${ending}'`])
  await expect.poll(async () => (await machine.exec('test -e /tmp/begun')).exitCode, { timeout: 30_000 }).toBe(0)
}

const stay = 'sleep 600'
const hashOfBare = () => hashFrame(bare)
const middle = { x: 300, y: 120, width: 400, height: 200 }

type Case = {
  holds: AssertionInput | (() => Promise<AssertionInput>)
  fails: AssertionInput | (() => Promise<AssertionInput>)
  /** Not true at first; made true by what the commotion ends in, or by this command. */
  becomes?: { assertion: AssertionInput | (() => Promise<AssertionInput>); ending?: string; command?: string }
}
const made = (one: AssertionInput | (() => Promise<AssertionInput>)) => (typeof one === 'function' ? one() : one)
const LATE = '/home/user/late.txt'

const cases: Record<string, Case> = {
  text_visible: {
    holds: { check: 'text_visible', text: 'UTC' },
    fails: { check: 'text_visible', text: 'Nobody wrote this' },
    becomes: { assertion: { check: 'text_visible', text: 'ARRIVED' }, ending: `clear; echo ARRIVED; ${stay}` },
  },
  text_gone: {
    holds: { check: 'text_gone', text: 'Nobody wrote this' },
    fails: { check: 'text_gone', text: 'UTC' },
    becomes: { assertion: { check: 'text_gone', text: 'UTC' }, ending: `clear; ${stay}` },
  },
  region_equals: {
    holds: async () => ({
      check: 'region_equals',
      frame: await hashOfBare(),
      region: { x: 900, y: 300, width: 300, height: 300 },
    }),
    fails: async () => ({ check: 'region_equals', frame: await hashOfBare(), region: middle }),
    becomes: {
      assertion: async () => ({ check: 'region_equals', frame: await hashOfBare(), region: middle }),
      ending: 'exit',
    },
  },
  region_differs: {
    holds: async () => ({ check: 'region_differs', frame: await hashOfBare(), region: middle }),
    fails: async () => ({
      check: 'region_differs',
      frame: await hashOfBare(),
      region: { x: 900, y: 300, width: 300, height: 300 },
    }),
    becomes: {
      assertion: async () => ({
        check: 'region_differs',
        frame: await hashOfBare(),
        region: { x: 760, y: 500, width: 200, height: 100 },
      }),
      command: 'xterm -geometry 40x8+750+480 >/dev/null 2>&1 &',
    },
  },
  screen_changed: {
    holds: { check: 'screen_changed', region: middle },
    fails: { check: 'screen_changed', region: { x: 1000, y: 300, width: 100, height: 100 } },
    becomes: {
      assertion: { check: 'screen_changed', region: { x: 760, y: 500, width: 200, height: 100 } },
      command: 'xterm -geometry 40x8+750+480 >/dev/null 2>&1 &',
    },
  },
  window_open: {
    holds: { check: 'window_open', title: 'Stage' },
    fails: { check: 'window_open', title: 'Curtain' },
    becomes: {
      assertion: { check: 'window_open', title: 'Latecomer' },
      command: 'xterm -title Latecomer >/dev/null 2>&1 &',
    },
  },
  window_active: {
    holds: { check: 'window_active', title: 'Stage' },
    fails: { check: 'window_active', title: 'Curtain' },
    becomes: {
      assertion: { check: 'window_active', title: 'Latecomer' },
      command: 'xterm -title Latecomer >/dev/null 2>&1 &',
    },
  },
  file_exists: {
    holds: { check: 'file_exists', path: '/etc/hostname' },
    fails: { check: 'file_exists', path: '/etc/nothing-of-this-name' },
    becomes: { assertion: { check: 'file_exists', path: LATE }, command: `touch ${LATE}` },
  },
  file_content: {
    holds: { check: 'file_content', path: '/etc/passwd', text: '^user:.*:/home/user:', match: 'regex' },
    fails: { check: 'file_content', path: '/etc/passwd', text: 'nobody-wrote-this' },
    becomes: { assertion: { check: 'file_content', path: LATE, text: 'ünï' }, command: `echo ünï > ${LATE}` },
  },
  file_hash: {
    holds: async () => ({ check: 'file_hash', path: '/etc/hostname', sha256: await sumInGuest('/etc/hostname') }),
    fails: { check: 'file_hash', path: '/etc/hostname', sha256: '0'.repeat(64) },
    becomes: {
      assertion: { check: 'file_hash', path: LATE, sha256: createHash('sha256').update('sealed\n').digest('hex') },
      command: `echo sealed > ${LATE}`,
    },
  },
  process_running: {
    holds: { check: 'process_running', name: 'openbox' },
    fails: { check: 'process_running', name: 'no-such-program' },
    becomes: {
      assertion: { check: 'process_running', name: 'tail' },
      command: 'setsid -f tail -f /dev/null >/dev/null 2>&1',
    },
  },
  command: {
    holds: { check: 'command', argv: ['uname', '-s'], output: { text: 'Linux' } },
    fails: { check: 'command', argv: ['false'] },
    becomes: { assertion: { check: 'command', argv: ['test', '-e', LATE] }, command: `touch ${LATE}` },
  },
  clipboard: {
    holds: async () => {
      await copy('held already')
      return { check: 'clipboard', text: 'held already', match: 'exact' }
    },
    fails: { check: 'clipboard', text: 'never copied' },
    becomes: {
      assertion: { check: 'clipboard', text: '日本語 🙂' },
      command: `printf '日本語 🙂' | DISPLAY=:0 xclip -selection clipboard >/dev/null 2>&1`,
    },
  },
  all: {
    holds: {
      check: 'all',
      of: [
        { check: 'window_open', title: 'Stage' },
        { check: 'file_exists', path: '/etc/hostname' },
      ],
    },
    fails: {
      check: 'all',
      of: [
        { check: 'window_open', title: 'Stage' },
        { check: 'file_exists', path: '/none' },
      ],
    },
    becomes: {
      assertion: {
        check: 'all',
        of: [
          { check: 'window_open', title: 'Stage' },
          { check: 'file_exists', path: LATE },
        ],
      },
      command: `touch ${LATE}`,
    },
  },
  any: {
    holds: {
      check: 'any',
      of: [
        { check: 'file_exists', path: '/none' },
        { check: 'window_open', title: 'Stage' },
      ],
    },
    fails: {
      check: 'any',
      of: [
        { check: 'file_exists', path: '/none' },
        { check: 'window_open', title: 'Curtain' },
      ],
    },
    becomes: {
      assertion: {
        check: 'any',
        of: [
          { check: 'file_exists', path: '/none' },
          { check: 'file_exists', path: LATE },
        ],
      },
      command: `touch ${LATE}`,
    },
  },
  not: {
    holds: { check: 'not', of: { check: 'window_open', title: 'Curtain' } },
    fails: { check: 'not', of: { check: 'window_open', title: 'Stage' } },
    becomes: { assertion: { check: 'not', of: { check: 'window_open', title: 'Stage' } }, ending: 'exit' },
  },
}

async function sumInGuest(file: string): Promise<string> {
  return (await machine.execFile(['sha256sum', file])).stdout.slice(0, 64)
}

async function copy(text: string): Promise<void> {
  await machine.exec('xclip -selection clipboard >/dev/null 2>&1', { stdin: text })
}

describe.each(Object.entries(cases))('%s', (_kind, { holds, fails, becomes }) => {
  afterEach(async () => {
    await machine.exec(`rm -f ${LATE}; pkill -x tail`)
  })

  it('holds, does not hold, and comes true on a screen that is still changing', async () => {
    await commotion(becomes?.ending ?? stay)
    const good = await check(await made(holds), 20_000)
    expect(good, good.summary).toMatchObject({ pass: true })
    const bad = await check(await made(fails), 300)
    expect(bad, bad.summary).toMatchObject({ pass: false })
    expect(Object.keys({ ...good.evidence, ...bad.evidence }).length).toBeGreaterThan(0)

    if (!becomes) return
    const wanted = await made(becomes.assertion)
    expect((await check(wanted, 200)).pass).toBe(false)
    const waiting = check(wanted, 30_000)
    await machine.exec(becomes.ending === undefined ? (becomes.command ?? '') : 'touch /tmp/late')
    const late = await waiting
    expect(late, late.summary).toMatchObject({ pass: true })
  })
})

describe('browser', () => {
  it('is asked for title and address, while another page is being opened and when it stands', async () => {
    const open = await openBrowserMachine('browsing')
    const asked = (assertion: AssertionInput, timeoutMs: number) =>
      checkAssertion({ sandbox: open.machine, frame: async () => null, readText }, Assertion.parse(assertion), {
        timeoutMs,
      })
    try {
      await open.machine.writeFile('/home/user/page.html', Buffer.from('<title>A quiet page</title><h1>Here</h1>'))
      const here = { check: 'browser', title: { text: 'A quiet page' }, url: { text: 'page.html' } } as const
      expect((await asked(here, 200)).pass).toBe(false)
      const waiting = asked(here, 240_000)
      await openPage(open.machine, 'file:///home/user/page.html')
      const opening = await waiting
      expect(opening, opening.summary).toMatchObject({ pass: true })
      expect(opening.samples).toBeGreaterThan(1)
      expect(await asked({ check: 'browser', title: { text: 'Another page' } }, 300)).toMatchObject({ pass: false })
      expect(await asked({ check: 'browser', url: { text: 'other.html' } }, 300)).toMatchObject({ pass: false })
    } finally {
      await open.test.close()
    }
  })
})
