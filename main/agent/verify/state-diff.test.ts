import { describe, expect, it } from 'vitest'
import { describeDiff } from '../../contract/describe-diff.ts'
import { DrawnSandbox } from '../../screen/testing/drawn-sandbox.ts'
import { lineDiff } from './state/line-diff.ts'
import { untar } from './state/untar.ts'
import { captureState, diffStates, type GuestState } from './state-diff.ts'

const facts = (bytes: number, modified = 1) => ({ bytes, modified, mode: '644', owner: 'user' })

function state(changes: Partial<GuestState> = {}): GuestState {
  return {
    files: new Map([['/home/user/a.txt', facts(3)]]),
    texts: new Map([['/home/user/a.txt', 'one\ntwo\nthree']]),
    processes: [{ pid: 7, user: 'root', name: 'Xorg', command: '/usr/lib/xorg/Xorg :0' }],
    windows: [{ id: '0x1', class: 'a.A', title: 'Untitled', active: true }],
    packages: new Map([['bash', '5.2']]),
    ports: [{ protocol: 'tcp', address: '0.0.0.0:22', process: 'sshd' }],
    frame: new DrawnSandbox().frame(),
    unknown: [],
    ...changes,
  }
}

describe('the difference of two states', () => {
  it('is empty when nothing changed', () => {
    const diff = diffStates(state(), state())
    expect(describeDiff(diff)).toEqual([])
    expect(diff.screen.boxes).toEqual([])
  })

  it('names files, with their text and what changed in it', () => {
    const diff = diffStates(
      state({
        files: new Map([
          ['/home/user/a.txt', facts(3)],
          ['/etc/gone', facts(9)],
        ]),
      }),
      state({
        files: new Map([
          ['/home/user/a.txt', facts(4, 2)],
          ['/tmp/new', facts(5)],
        ]),
        texts: new Map([
          ['/home/user/a.txt', 'one\n2\nthree'],
          ['/tmp/new', 'hello'],
        ]),
      }),
    )
    expect(diff.files.added).toEqual([{ path: '/tmp/new', ...facts(5), text: 'hello' }])
    expect(diff.files.removed.map(({ path }) => path)).toEqual(['/etc/gone'])
    expect(diff.files.changed).toEqual([
      { path: '/home/user/a.txt', before: facts(3), after: facts(4, 2), diff: ' one\n-two\n+2\n three' },
    ])
    expect(describeDiff(diff)).toEqual([
      'Removed the file /etc/gone',
      'Changed the file /home/user/a.txt',
      'Added the file /tmp/new (5 bytes)',
    ])
  })

  it('names processes, windows, packages, ports and places on the screen', () => {
    const screen = new DrawnSandbox()
    screen.fill(10, 20, 30, 40, 255)
    const diff = diffStates(
      state(),
      state({
        processes: [{ pid: 8, user: 'user', name: 'mousepad', command: 'mousepad x' }],
        windows: [
          { id: '0x1', class: 'a.A', title: 'x - Editor', active: false },
          { id: '0x2', class: 'b.B', title: 'Terminal', active: true },
        ],
        packages: new Map([
          ['bash', '5.3'],
          ['vim', '9'],
        ]),
        ports: [{ protocol: 'tcp', address: '127.0.0.1:8000', process: 'python3' }],
        frame: screen.frame(),
      }),
    )
    expect(diff.processes.started.map(({ name }) => name)).toEqual(['mousepad'])
    expect(diff.processes.ended.map(({ name }) => name)).toEqual(['Xorg'])
    expect(diff.windows.opened.map(({ title }) => title)).toEqual(['Terminal'])
    expect(diff.windows.retitled).toEqual([{ id: '0x1', before: 'Untitled', after: 'x - Editor' }])
    expect(diff.packages).toEqual({
      installed: [{ name: 'vim', version: '9' }],
      removed: [],
      changed: [{ name: 'bash', before: '5.2', after: '5.3' }],
    })
    expect(diff.ports.opened[0]?.address).toBe('127.0.0.1:8000')
    expect(diff.ports.closed[0]?.address).toBe('0.0.0.0:22')
    expect(diff.screen.boxes).toEqual([{ x: 10, y: 20, width: 30, height: 40 }])
  })

  it('says what it could not look at instead of taking it for gone', async () => {
    const seen = await captureState(new DrawnSandbox())
    expect(seen.files).toBeNull()
    const diff = diffStates(state(), seen)
    expect(diff.files.removed).toEqual([])
    expect(diff.packages.removed).toEqual([])
    expect(diff.unknown.join('\n')).toMatch(/files: .*\n?/)
    expect(describeDiff(diff).some((line) => line.startsWith('Not looked at: packages'))).toBe(true)
  })
})

describe('a difference line by line', () => {
  it('shows what changed and one line around it', () => {
    const text = Array.from({ length: 20 }, (_, n) => `line ${n}`)
    const other = text.with(10, 'changed')
    other.push('more')
    expect(lineDiff(text.join('\n'), other.join('\n'))).toBe(
      ' line 9\n-line 10\n+changed\n line 11\n…\n line 19\n+more',
    )
  })

  it('does not try on very long texts', () => {
    expect(lineDiff('a\n'.repeat(5000), 'b')).toMatch(/lines before/)
  })
})

describe('tar', () => {
  it('gives its files back, long names too', () => {
    const long = `home/user/${'deep/'.repeat(30)}file.txt`
    const archive = Buffer.concat([
      member('home/user/a', '0', 'hello'),
      member('home/user', '5', ''),
      member('././@LongLink', 'L', `${long}\0`),
      member(long.slice(0, 100), '0', 'x'.repeat(600)),
      Buffer.alloc(1024),
    ])
    expect([...untar(archive)].map(({ path, content }) => [path, content.length])).toEqual([
      ['home/user/a', 5],
      [long, 600],
    ])
  })

  function member(name: string, type: string, content: string): Buffer {
    const header = Buffer.alloc(512)
    header.write(name, 0)
    header.write(content.length.toString(8).padStart(11, '0'), 124)
    header.write(type, 156)
    header.write('ustar\0', 257)
    return Buffer.concat([header, Buffer.from(content), Buffer.alloc((512 - (content.length % 512)) % 512)])
  }
})
