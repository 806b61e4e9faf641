import { describe, expect, it } from 'vitest'
import { parseProcesses } from './processes.ts'
import { parseWindows } from './windows.ts'

const output = `_NET_ACTIVE_WINDOW: window id # 0x800002, 0x0
_NET_CLIENT_LIST: window id # 0x400008, 0x800002, 0xa00002
window 0x400008
_NET_WM_NAME = "panel"
WM_NAME = "panel"
WM_CLASS:  not found.
_NET_WM_WINDOW_TYPE = _NET_WM_WINDOW_TYPE_DOCK
window 0x800002
_NET_WM_NAME = "torture — \\"quoted\\" \\\\ Mozilla Firefox"
WM_NAME = "torture"
WM_CLASS = "Navigator", "firefox-esr"
_NET_WM_WINDOW_TYPE = _NET_WM_WINDOW_TYPE_NORMAL
window 0xa00002
_NET_WM_NAME:  not found.
WM_NAME = "old program"
WM_CLASS:  not found.
_NET_WM_WINDOW_TYPE:  not found.
`

describe('what the guest says about itself', () => {
  it('lists windows with class and title, panels left out, whatever they lack', () => {
    expect(parseWindows(output)).toEqual([
      { id: '0x800002', class: 'Navigator.firefox-esr', title: 'torture — "quoted" \\ Mozilla Firefox', active: true },
      { id: '0xa00002', class: '', title: 'old program', active: false },
    ])
  })

  it('lists no windows on an empty desktop', () => {
    expect(parseWindows('_NET_ACTIVE_WINDOW: window id # 0x0\n_NET_CLIENT_LIST: window id # \n')).toEqual([])
  })

  it('lists processes without kernel threads, zombies and our own questions', () => {
    const row = (pid: number, parent: number, state: string, name: string, command: string) =>
      `${String(pid).padStart(7)} ${String(parent).padStart(7)} ${state.padEnd(4)} ${'user'.padEnd(32)} ${name.padEnd(64)} ${command}`
    const list = [
      row(1, 0, 'Ss', 'init', 'init'),
      row(2, 0, 'S', 'kthreadd', '[kthreadd]'),
      row(14, 2, 'I<', 'kworker/0:0H', '[kworker/0:0H-events]'),
      row(300, 1, 'Sl', 'firefox-esr', '/usr/lib/firefox-esr/firefox-esr --new file:///x'),
      row(301, 300, 'Z', 'crashhelper', '[crashhelper] <defunct>'),
      row(302, 300, 'S', 'Web Content', '/usr/lib/firefox-esr/firefox-esr -contentproc'),
      row(400, 1, 'Ss', 'sshd', 'sshd: /usr/sbin/sshd'),
      row(401, 400, 'S', 'sshd-session', 'sshd-session: user'),
      row(402, 401, 'R', 'ps', 'ps -eo pid='),
    ].join('\n')
    expect(parseProcesses(list).map(({ pid, name }) => [pid, name])).toEqual([
      [1, 'init'],
      [300, 'firefox-esr'],
      [302, 'Web Content'],
    ])
  })
})
