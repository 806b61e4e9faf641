import type { Point, Region } from '../../contract/action.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { atRest, start, waitFor, windowArea } from './guest-programs.ts'
import { type Button, down, dragged, type Hearing, type Modifier, mergeTurns, up, wheel } from './torture.ts'

const FILE = '/home/user/torture.txt'
const ESCAPE = String.fromCharCode(27)

/**
 * A terminal that reports the mouse by the pixel among what is typed, all of it as bytes into one file. Its own menus, which
 * open with ctrl and a button, are left out.
 */
export async function openTortureTerminal(machine: Sandbox): Promise<Region> {
  const listen = `printf "\\033[?1002h\\033[?1016h"; stty raw -echo; cat >> ${FILE}`
  const resources = ['omitTranslation: popup-menu', 'metaSendsEscape: true'].flatMap((one) => ['-xrm', `XTerm*${one}`])
  const command = ['xterm', '-title', 'Torture', '-geometry', '110x36+120+60', ...resources, '-e', `sh -c '${listen}'`]
  await start(machine, command)
  const { x, y, width, height } = await windowArea(machine, 'Torture')
  await waitFor(30_000, async () => ((await machine.exec(`test -e ${FILE}`)).exitCode === 0 ? true : null))
  await atRest(machine)
  const border = 40
  return { x: x + border, y: y + border, width: width - 2 * border, height: height - 2 * border }
}

export async function terminalFile(machine: Sandbox): Promise<string> {
  return (await machine.readFile(FILE)).toString('utf8')
}

export async function emptyTerminalFile(machine: Sandbox): Promise<void> {
  await machine.exec(`: > ${FILE}`)
}

const mouseReport = new RegExp(`${ESCAPE}\\[<(\\d+);(\\d+);(\\d+)([Mm])`, 'g')
const buttons: Record<number, Button> = { 0: 'left', 1: 'middle', 2: 'right', 128: 'back', 129: 'forward' }
const turns: Record<number, [dx: number, dy: number]> = { 64: [0, -1], 65: [0, 1], 66: [-1, 0], 67: [1, 0] }
const ALT = 8
const CTRL = 16
const MOTION = 32

/** Where the terminal's own pixels begin on the screen: it reports one click at a known place. */
export function originFrom(file: string, at: Point): Point {
  const [, , x, y] = mouseReport.exec(file) ?? []
  mouseReport.lastIndex = 0
  return { x: at.x - Number(x), y: at.y - Number(y) }
}

/** The bytes as events, in the words of what is expected. */
export function heardByTerminal(file: string, origin: Point): string[] {
  const heard: string[] = []
  let motion: string | null = null
  let from = 0
  const typedUpTo = (to: number) => {
    if (to > from) heard.push(...typed(file.slice(from, to)))
  }
  for (const report of file.matchAll(mouseReport)) {
    typedUpTo(report.index)
    from = report.index + report[0].length
    const code = Number(report[1])
    const at = { x: Number(report[2]) + origin.x, y: Number(report[3]) + origin.y }
    const modifiers: Modifier[] = [
      ...(code & CTRL ? (['ctrl'] as const) : []),
      ...(code & ALT ? (['alt'] as const) : []),
    ]
    const plain = code & ~(CTRL | ALT)
    const turn = turns[plain]
    const button = buttons[plain]
    if (turn !== undefined) {
      // Some turns are reported when the wheel is let go, too.
      if (report[4] === 'M') heard.push(wheel(...turn, at, modifiers))
    } else if (plain & MOTION) motion = dragged(at, modifiers)
    else if (button === undefined) heard.push(`? ${code}`)
    else if (report[4] === 'M') heard.push(down(button, at, modifiers))
    else {
      if (motion !== null) heard.push(motion)
      motion = null
      heard.push(up(button, at, modifiers))
    }
  }
  typedUpTo(file.length)
  return mergeTurns(heard)
}

/** One by one, so that it does not matter what was typed in one go. */
function typed(bytes: string): string[] {
  return [...bytes].map((one) => `byte ${JSON.stringify(one)}`)
}

const finals: Record<string, string> = { Down: 'B', Home: 'H' }

export const terminalHearing: Omit<Hearing, 'area'> = {
  // Shift with the mouse is the terminal's own, to mark text.
  modifiers: ['ctrl', 'alt'],
  buttons: ['left', 'middle', 'right', 'back', 'forward'],
  dragButtons: ['left', 'middle', 'right'],
  keys: ['a', 'j', 'Down', 'Home'],
  click: (button, at, modifiers, count) =>
    Array.from({ length: count }, () => [down(button, at, modifiers), up(button, at, modifiers)]).flat(),
  drag: (button, from, to, modifiers) => [
    down(button, from, modifiers),
    dragged(to, modifiers),
    up(button, to, modifiers),
  ],
  key(name, modifiers) {
    const code = 1 + (modifiers.includes('alt') ? 2 : 0) + (modifiers.includes('ctrl') ? 4 : 0)
    const final = finals[name]
    if (final !== undefined) return typed(`${ESCAPE}[${code === 1 ? '' : `1;${code}`}${final}`)
    const letter = modifiers.includes('ctrl') ? String.fromCharCode(name.charCodeAt(0) & 0x1f) : name
    return typed(`${modifiers.includes('alt') ? ESCAPE : ''}${letter}`)
  },
  text: typed,
  // Alt with the middle button resets the terminal, and then it reports no mouse.
  avoid: (button: Button, modifiers: Modifier[]) => button === 'middle' && modifiers.includes('alt'),
}
