import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { Assertion, type AssertionInput } from '../../contract/assertion.ts'
import { GodHandError } from '../../contract/errors.ts'
import type { ExecResult } from '../../contract/machine.ts'
import type { RawFrame } from '../../sandbox/sandbox.ts'
import { hashFrame } from '../../screen/frames.ts'
import { DrawnSandbox } from '../../screen/testing/drawn-sandbox.ts'
import { lineOf } from '../../screen/text/screen-text.ts'
import { type CheckOptions, checkAssertion } from './check.ts'
import type { VerifyContext } from './probe.ts'

/** A desktop that answers the questions of the checks, and whose state tests may change at any time. */
class Desktop extends DrawnSandbox {
  windows: { id: string; class: string; title: string }[] = []
  active = ''
  processes: string[] = []
  clipboard: string | null = null
  words: string[] = []
  stored = new Map<string, RawFrame>()
  /** Called once after each look, before the next one. */
  afterLook: (() => void) | null = null
  private seen = false

  constructor() {
    super(320, 200)
    this.onExec = (argv) => {
      this.looked()
      return this.answer(argv[0] === 'env' ? argv.slice(2) : argv)
    }
    this.onCapture = () => this.looked()
  }

  private looked(): void {
    if (this.seen) return
    this.seen = true
    setTimeout(() => {
      this.seen = false
      this.afterLook?.()
    }, 20)
  }

  private answer(argv: string[]): Partial<ExecResult> | undefined {
    const path = (argv.at(-1) ?? '').replace(/^\.\//, '')
    const file = this.files.get(path)
    switch (argv[0]) {
      case 'sh':
        return { stdout: this.listWindows() }
      case 'ps':
        return {
          stdout: this.processes
            .map((name, n) => `${100 + n} 1 S user ${name.padEnd(64)} /usr/bin/${name} --flag\n`)
            .join(''),
        }
      case 'xclip':
        return this.clipboard === null
          ? { exitCode: 1, stderr: 'target UTF8_STRING not available' }
          : { stdout: this.clipboard }
      case 'stat':
        return file ? { stdout: `regular file\t${file.length}\t1700000000\n` } : { exitCode: 1, stderr: 'No such file' }
      case 'sha256sum':
        return file
          ? { stdout: `${createHash('sha256').update(file).digest('hex')} *${path}\n` }
          : { exitCode: 1, stderr: 'No such file' }
      case 'greet':
        return { stdout: `hello ${argv[1]}\n`, exitCode: Number(argv[2] ?? 0) }
      case 'find':
        return {
          stdout: [...this.files.keys()]
            .filter((name) => name.endsWith('lz4'))
            .map((name) => `1.5 ${name}\n`)
            .join(''),
        }
    }
    return undefined
  }

  private listWindows(): string {
    const windows = this.windows.map(
      (window) =>
        `window ${window.id}\n_NET_WM_NAME = "${window.title}"\nWM_CLASS = "${window.class.replace('.', '", "')}"\n`,
    )
    return `_NET_ACTIVE_WINDOW: window id # ${this.active || '0x0'}\n${windows.join('')}`
  }

  override async readFile(path: string): Promise<Buffer> {
    this.looked()
    return super.readFile(path.replace(/^\.\//, ''))
  }

  context(): VerifyContext {
    return {
      sandbox: this,
      frame: async (hash) => this.stored.get(hash) ?? null,
      readText: async () =>
        this.words.map((text, row) =>
          lineOf([{ text, confidence: 1, box: { x: 10, y: row * 20, width: text.length * 8, height: 16 } }]),
        ),
    }
  }
}

let desktop: Desktop
beforeEach(() => {
  desktop = new Desktop()
})

const check = (assertion: AssertionInput, options: CheckOptions = {}, extra: Partial<VerifyContext> = {}) =>
  checkAssertion({ ...desktop.context(), ...extra }, Assertion.parse(assertion), { timeoutMs: 250, ...options })

const open = (title: string, name = 'xterm.XTerm') => {
  desktop.windows.push({ id: '0x00400002', class: name, title })
  desktop.active = '0x400002'
}
const write = (path: string, text: string) => desktop.files.set(path, Buffer.from(text))
const empty = createHash('sha256').update('').digest('hex')

/** What makes it true, what makes it false again. The desktop starts with neither. */
const kinds: { assertion: AssertionInput; arise: () => void; vanish: () => void }[] = [
  {
    assertion: { check: 'text_visible', text: 'Done' },
    arise: () => {
      desktop.words = ['All Done']
    },
    vanish: () => {
      desktop.words = []
    },
  },
  {
    assertion: {
      check: 'all',
      of: [
        { check: 'text_gone', text: 'Loading' },
        { check: 'text_visible', text: 'Ready' },
      ],
    },
    arise: () => {
      desktop.words = ['Ready']
    },
    vanish: () => {
      desktop.words = ['Loading', 'Ready']
    },
  },
  {
    assertion: { check: 'window_open', title: 'Terminal' },
    arise: () => open('Terminal: bash'),
    vanish: () => {
      desktop.windows = []
    },
  },
  {
    assertion: { check: 'window_active', title: '^Term.*bash$', match: 'regex' },
    arise: () => open('Terminal: bash'),
    vanish: () => {
      desktop.active = ''
    },
  },
  {
    assertion: { check: 'file_exists', path: '/tmp/x' },
    arise: () => write('/tmp/x', ''),
    vanish: () => void desktop.files.clear(),
  },
  {
    assertion: { check: 'file_content', path: '~/notes.txt', text: 'hello' },
    arise: () => write('notes.txt', 'say hello\n'),
    vanish: () => write('notes.txt', 'nothing'),
  },
  {
    assertion: { check: 'file_hash', path: '/tmp/x', sha256: empty },
    arise: () => write('/tmp/x', ''),
    vanish: () => write('/tmp/x', 'no'),
  },
  {
    assertion: { check: 'process_running', name: 'mousepad' },
    arise: () => {
      desktop.processes = ['init', 'mousepad']
    },
    vanish: () => {
      desktop.processes = ['init']
    },
  },
  {
    assertion: { check: 'browser', title: { text: 'Example Domain', match: 'exact' } },
    arise: () => open('Example Domain — Mozilla Firefox', 'Navigator.firefox-esr'),
    vanish: () => {
      desktop.windows = []
    },
  },
  {
    assertion: { check: 'clipboard', text: 'copied', match: 'exact' },
    arise: () => {
      desktop.clipboard = 'copied'
    },
    vanish: () => {
      desktop.clipboard = null
    },
  },
  {
    assertion: {
      check: 'any',
      of: [
        { check: 'process_running', name: 'x' },
        { check: 'file_exists', path: '/tmp/y' },
      ],
    },
    arise: () => write('/tmp/y', ''),
    vanish: () => void desktop.files.clear(),
  },
  {
    assertion: { check: 'not', of: { check: 'all', of: [{ check: 'process_running', name: 'y', running: false }] } },
    arise: () => {
      desktop.processes = ['y']
    },
    vanish: () => {
      desktop.processes = []
    },
  },
]

describe.each(kinds.map((kind) => ({ ...kind, name: kind.assertion.check })))(
  '$name',
  ({ assertion, arise, vanish }) => {
    it('passes when it is so, with evidence', async () => {
      arise()
      const verdict = await check(assertion)
      expect(verdict).toMatchObject({ pass: true })
      expect(Object.keys(verdict.evidence).length).toBeGreaterThan(0)
      expect(verdict.samples).toBeLessThanOrEqual(2)
    })

    it('fails when it is not so, after the whole time and not much more', async () => {
      vanish()
      const verdict = await check(assertion)
      expect(verdict.pass).toBe(false)
      expect(verdict.summary).not.toBe('')
      expect(verdict.tookMs).toBeGreaterThanOrEqual(240)
      expect(verdict.tookMs).toBeLessThan(5000)
    })

    it('passes when it becomes so in time', async () => {
      vanish()
      setTimeout(arise, 120)
      const verdict = await check(assertion, { timeoutMs: 3000 })
      expect(verdict.pass).toBe(true)
      expect(verdict.samples).toBeGreaterThan(1)
    })

    it('fails while it keeps changing, and says how often it was so', async () => {
      let on = true
      arise()
      desktop.afterLook = () => {
        on = !on
        if (on) arise()
        else vanish()
      }
      const verdict = await check(assertion, { timeoutMs: 700, stableSamples: 6 })
      desktop.afterLook = null
      expect(verdict.pass).toBe(false)
      expect(verdict.summary).toMatch(/not steadily/)
    })
  },
)

describe('screen regions', () => {
  const region = { x: 10, y: 10, width: 20, height: 20 }

  it('equal or differ from a stored frame beyond a tolerance', async () => {
    const reference = desktop.frame()
    const frame = await hashFrame(reference)
    desktop.stored.set(frame, reference)
    expect(await check({ check: 'region_equals', frame, region })).toMatchObject({ pass: true })
    expect(await check({ check: 'region_differs', frame, region })).toMatchObject({ pass: false })
    desktop.fill(12, 12, 10, 10, 200)
    expect(await check({ check: 'region_differs', frame, region })).toMatchObject({
      pass: true,
      evidence: { share: 0.25, boxes: [{ x: 2, y: 2, width: 10, height: 10 }] },
    })
    expect(await check({ check: 'region_equals', frame, region, tolerance: 0.3 })).toMatchObject({ pass: true })
    expect(await check({ check: 'region_equals', frame, region })).toMatchObject({ pass: false })
    expect(await check({ check: 'region_equals', frame })).toMatchObject({ pass: true })
  })

  it('do not equal while they keep moving', async () => {
    const reference = desktop.frame()
    desktop.stored.set('r', reference)
    let shade = 0
    desktop.onCapture = () => desktop.fill(12, 12, 10, 10, shade++ % 2 === 0 ? 32 : 200)
    const verdict = await check({ check: 'region_equals', frame: 'r', region })
    expect(verdict.pass).toBe(false)
    expect(verdict.summary).toMatch(/not steadily/)
    expect(await check({ check: 'region_differs', frame: 'r', region })).toMatchObject({ pass: false })
  })

  it('are a change since the step began only where they changed', async () => {
    const before = desktop.frame()
    expect(await check({ check: 'screen_changed' }, {}, { before })).toMatchObject({ pass: false })
    desktop.fill(100, 100, 5, 5, 255)
    expect(await check({ check: 'screen_changed' }, {}, { before })).toMatchObject({
      pass: true,
      evidence: { boxes: [{ x: 100, y: 100, width: 5, height: 5 }] },
    })
    expect(await check({ check: 'screen_changed', region }, {}, { before })).toMatchObject({ pass: false })
    expect(await check({ check: 'screen_changed' })).toMatchObject({ pass: false, samples: 1 })
    let on = false
    desktop.onCapture = () => {
      on = !on
      if (on) desktop.show(before)
      else desktop.fill(100, 100, 5, 5, 255)
    }
    expect((await check({ check: 'screen_changed' }, {}, { before })).summary).toMatch(/not steadily/)
  })

  it('cannot be compared with a frame that nobody stored', async () => {
    const verdict = await check({ check: 'region_equals', frame: 'gone' }, { timeoutMs: 5000 })
    expect(verdict).toMatchObject({ pass: false, samples: 1, evidence: { error: { code: 'not_found' } } })
  })
})

describe('commands', () => {
  it('are judged by exit code and output', async () => {
    const hello = { check: 'command' as const, argv: ['greet', 'you'] }
    expect(await check(hello)).toMatchObject({ pass: true, evidence: { exitCode: 0, stdout: 'hello you\n' } })
    expect(await check({ ...hello, output: { text: 'hello you', match: 'exact' } })).toMatchObject({ pass: true })
    expect(await check({ ...hello, output: { text: 'bye' } })).toMatchObject({ pass: false })
    expect(await check({ check: 'command', argv: ['greet', 'x', '3'] })).toMatchObject({ pass: false })
    expect(await check({ check: 'command', argv: ['greet', 'x', '3'], exitCode: 3 })).toMatchObject({ pass: true })
  })

  it('that change their mind are asked until they are steady', async () => {
    let calls = 0
    desktop.onExec = () => ({ exitCode: calls++ < 2 ? 1 : 0 })
    expect(await check({ check: 'command', argv: ['x'] }, { timeoutMs: 3000 })).toMatchObject({
      pass: true,
      samples: 3,
    })
    desktop.onExec = () => ({ exitCode: calls++ % 2 })
    const verdict = await check({ check: 'command', argv: ['x'] }, { stableSamples: 2 })
    expect(verdict.summary).toMatch(/not steadily/)
  })

  it('get their arguments as they are, through no shell', async () => {
    await check({ check: 'command', argv: ['greet', '$(reboot); `x` "\''] })
    await check({ check: 'file_exists', path: "/tmp/$(touch y)' -rf" })
    await check({ check: 'file_exists', path: '-rf' })
    expect(desktop.commands).toContainEqual(['greet', '$(reboot); `x` "\''])
    expect(desktop.commands.some((argv) => argv.at(-1) === "/tmp/$(touch y)' -rf" && argv.at(-2) === '--')).toBe(true)
    expect(desktop.commands.some((argv) => argv.at(-1) === './-rf')).toBe(true)
    expect(desktop.commands.some((argv) => argv.includes('sh'))).toBe(false)
  })
})

describe('what cannot be answered', () => {
  it('is neither true nor false, and not asked twice when it never will be', async () => {
    desktop.onExec = null
    const verdict = await check({ check: 'process_running', name: 'x' }, { timeoutMs: 5000 })
    expect(verdict).toMatchObject({ pass: false, samples: 1, evidence: { error: { code: 'unsupported' } } })
    const opposite = await check({ check: 'not', of: { check: 'process_running', name: 'x' } })
    expect(opposite.pass).toBe(false)
    const either = await check({
      check: 'any',
      of: [
        { check: 'process_running', name: 'x' },
        { check: 'text_gone', text: 'x' },
      ],
    })
    expect(either.pass).toBe(true)
  })

  it('is asked again when the guest did not answer in time', async () => {
    let calls = 0
    const { onExec } = desktop
    desktop.processes = ['x']
    desktop.onExec = (argv, options) => {
      if (calls++ === 0) throw new GodHandError('timeout', 'The command did not end.')
      return onExec?.(argv, options)
    }
    expect(await check({ check: 'process_running', name: 'x' }, { timeoutMs: 2000 })).toMatchObject({
      pass: true,
      samples: 2,
    })
  })

  it('includes an expression that would run for ever', async () => {
    write('/tmp/x', `${'a'.repeat(60)}!`)
    const verdict = await check(
      { check: 'file_content', path: '/tmp/x', text: '^(a+)+$', match: 'regex' },
      { timeoutMs: 5000 },
    )
    expect(verdict).toMatchObject({ pass: false, samples: 1, evidence: { error: { code: 'bad_request' } } })
    expect(verdict.tookMs).toBeLessThan(1500)
  })

  it('ends when it is stopped', async () => {
    const stop = new AbortController()
    setTimeout(() => stop.abort(), 50)
    await expect(
      check({ check: 'text_visible', text: 'x' }, { timeoutMs: 9000, signal: stop.signal }),
    ).rejects.toMatchObject({
      code: 'cancelled',
    })
  })
})

describe('the browser’s address', () => {
  it('is the selected tab’s in Firefox’s session file', async () => {
    open('B — Mozilla Firefox', 'Navigator.firefox-esr')
    const tabs = [
      { index: 1, entries: [{ url: 'https://a.example/', title: 'A' }] },
      {
        index: 2,
        entries: [
          { url: 'https://old.example/', title: 'Old' },
          { url: 'https://b.example/page?q=1', title: 'B' },
        ],
      },
    ]
    desktop.files.set(
      'profile/recovery.jsonlz4',
      asMozLz4(JSON.stringify({ selectedWindow: 1, windows: [{ selected: 2, tabs }] })),
    )
    const url = { text: 'https://b.example/page' }
    expect(await check({ check: 'browser', url })).toMatchObject({ pass: true, evidence: { title: 'B' } })
    expect(await check({ check: 'browser', url, title: { text: 'A' } })).toMatchObject({ pass: false })
    expect(await check({ check: 'browser', url: { text: 'a.example' } })).toMatchObject({ pass: false })
    desktop.files.set('profile/recovery.jsonlz4', Buffer.from('mozLz40\0half'))
    expect(await check({ check: 'browser', url })).toMatchObject({ pass: false })
  })
})

/** One block of literals only: valid LZ4, if not a small one. */
function asMozLz4(text: string): Buffer {
  const content = Buffer.from(text)
  const head = Buffer.alloc(12)
  head.write('mozLz40\0')
  head.writeUInt32LE(content.length, 8)
  const more = content.length - 15
  const lengths = Buffer.concat([
    Buffer.from([0xf0]),
    Buffer.alloc(Math.floor(more / 255), 255),
    Buffer.from([more % 255]),
  ])
  return Buffer.concat([head, lengths, content])
}
