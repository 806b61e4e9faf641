import type { Sandbox } from '../../../sandbox/sandbox.ts'
import { answer } from './run.ts'

export type GuestWindow = { id: string; class: string; title: string; active: boolean }

/**
 * Asks the X server itself: wmctrl crashes on windows without a class. Nothing is put into this script; the ids in its loop
 * come from the X server.
 */
const list = `xprop -root -notype _NET_ACTIVE_WINDOW _NET_CLIENT_LIST || exit
for id in $(xprop -root -notype _NET_CLIENT_LIST | tr -d , | sed 's/.*#//'); do
  echo "window $id"; xprop -id "$id" -notype _NET_WM_NAME WM_NAME WM_CLASS _NET_WM_WINDOW_TYPE 2>/dev/null; done; exit 0`

/** The desktop's windows in the order they were opened, panels and the desktop itself left out. */
export async function listWindows(sandbox: Sandbox): Promise<GuestWindow[]> {
  return parseWindows(await answer(sandbox, ['sh', '-c', list]))
}

export function parseWindows(output: string): GuestWindow[] {
  const [root = '', ...windows] = output.split(/^window /m)
  const active = windowNumber(/^_NET_ACTIVE_WINDOW.*?(0x[0-9a-f]+)/m.exec(root)?.[1])
  return windows.flatMap((text) => {
    const id = /^0x[0-9a-f]+/.exec(text)?.[0]
    if (!id || /_NET_WM_WINDOW_TYPE_(DOCK|DESKTOP)/.test(text)) return []
    const title = quoted(text, '_NET_WM_NAME')[0] ?? quoted(text, 'WM_NAME')[0] ?? ''
    return [{ id, class: quoted(text, 'WM_CLASS').join('.'), title, active: windowNumber(id) === active }]
  })
}

/** The strings of a property: `WM_CLASS = "xterm", "XTerm"`. */
function quoted(text: string, property: string): string[] {
  const line = new RegExp(`^${property} = (.*)$`, 'm').exec(text)?.[1] ?? ''
  return [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map((match) => withoutEscapes(match[1] ?? ''))
}

function withoutEscapes(text: string): string {
  return text.replace(/\\(n|t|[0-7]{3}|.)/g, (_, code: string) => {
    if (code === 'n') return '\n'
    if (code === 't') return '\t'
    return code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : code
  })
}

function windowNumber(id: string | undefined): number | null {
  const number = id === undefined ? 0 : Number.parseInt(id, 16)
  return number === 0 ? null : number
}
