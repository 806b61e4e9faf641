import { z } from 'zod'
import { type Point, Region } from '../../contract/action.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { atRest, openPage, report, startListener } from './guest-programs.ts'
import { type Button, down, dragged, type Hearing, type Modifier, mergeTurns, up } from './torture.ts'

/**
 * A page that writes down every event and, when F9 is pressed, sends what it has to the listener in the guest. F9 takes the
 * same road as everything before it, so it comes last.
 */
const page = `<!doctype html><meta charset="utf-8"><title>Torture</title>
<style>html,body{margin:0;height:100%;overflow:hidden;background:#eef;user-select:none}
textarea{position:fixed;left:0;top:0;width:600px;height:40px}
</style>
<textarea></textarea>
<script>
const field = document.querySelector('textarea')
const names = ['left', 'middle', 'right', 'back', 'forward']
const tell = (name, body) => fetch('http://127.0.0.1:8377/' + name, {method: 'POST', mode: 'no-cors', body: JSON.stringify(body)})
const keys = (e) => [e.ctrlKey && 'ctrl', e.shiftKey && 'shift', e.altKey && 'alt'].filter(Boolean)
const where = (e) => [e.screenX + ',' + e.screenY, ...keys(e)].join(' ')
// Of a character the shift is part: some are on keys where it is needed, some are not.
const isNamed = (e) => [...e.key].length > 1
let heard = [], moved = null, round = 0
const on = (type, hear) => addEventListener(type, (e) => {
  e.preventDefault()
  hear(e)
}, {capture: true, passive: false})
on('mousedown', (e) => heard.push('down ' + names[e.button] + ' ' + where(e) + ' ×' + e.detail))
on('mousemove', (e) => { if (e.buttons) moved = where(e) })
on('mouseup', (e) => {
  if (moved) heard.push('dragged to ' + moved)
  moved = null
  heard.push('up ' + names[e.button] + ' ' + where(e))
})
for (const type of ['click', 'auxclick']) on(type, (e) => heard.push('click ' + names[e.button] + ' ×' + e.detail))
on('dblclick', () => heard.push('double click'))
on('contextmenu', () => heard.push('menu'))
on('wheel', (e) => heard.push('wheel ' + e.deltaX + ' ' + e.deltaY + ' at ' + where(e)))
addEventListener('keydown', (e) => {
  if (['NumLock', 'Shift', 'Control', 'Alt', 'Meta'].includes(e.key)) return
  if (e.key === 'F9') {
    tell('heard-' + round++, {heard, written: field.value})
    heard = []
    field.value = ''
  } else heard.push(['key', e.key, ...keys(e).filter((key) => key !== 'shift' || isNamed(e))].join(' '))
  if (e.ctrlKey || e.altKey || isNamed(e)) e.preventDefault()
}, true)
addEventListener('load', () => {
  field.focus()
  const area = {x: mozInnerScreenX, y: mozInnerScreenY + 50, width: innerWidth, height: innerHeight - 50}
  setTimeout(() => tell('torture', area), 300)
})
</script>`

const Heard = z.object({ heard: z.array(z.string()), written: z.string() })

/** Where on the screen it listens. */
export async function openTorturePage(machine: Sandbox): Promise<Region> {
  await machine.writeFile('/tmp/torture.html', Buffer.from(page))
  await startListener(machine)
  await openPage(machine, 'file:///tmp/torture.html')
  const area = Region.parse(await report(machine, 'torture', 120_000))
  await atRest(machine)
  return area
}

/** Turns are counted in notches; a notch of the wheel is so many pixels to the browser, as the first ones showed. */
export async function heardByPage(machine: Sandbox, round: number, notch: Point) {
  const { heard, written } = Heard.parse(await report(machine, `heard-${round}`, 60_000))
  const inNotches = (line: string) =>
    line.replace(/^wheel (\S+) (\S+)/, (_, dx, dy) => `wheel ${Number(dx) / notch.x} ${Number(dy) / notch.y}`)
  return { heard: mergeTurns(heard.map(inNotches)), written }
}

const named: Record<string, string> = { Down: 'ArrowDown', Home: 'Home' }

export const pageHearing: Omit<Hearing, 'area'> = {
  modifiers: ['ctrl', 'shift', 'alt'],
  buttons: ['left', 'middle', 'right'],
  dragButtons: ['left', 'middle'],
  keys: ['a', 'j', '7', 'Down', 'Home'],
  click: (button, at, modifiers, count) =>
    Array.from({ length: count }, (_, n) => [
      `${down(button, at, modifiers)} ×${n + 1}`,
      ...(button === 'right' ? ['menu'] : []),
      up(button, at, modifiers),
      `click ${button} ×${n + 1}`,
      ...(button === 'left' && n === 1 ? ['double click'] : []),
    ]).flat(),
  drag: (button, from, to, modifiers) => [
    `${down(button, from, modifiers)} ×1`,
    dragged(to, modifiers),
    up(button, to, modifiers),
    `click ${button} ×1`,
  ],
  key(name, modifiers) {
    if (named[name]) return [['key', named[name], ...modifiers].join(' ')]
    const shifted = name === '7' ? '&' : name.toUpperCase()
    const rest = modifiers.filter((modifier) => modifier !== 'shift')
    return [['key', modifiers.includes('shift') ? shifted : name, ...rest].join(' ')]
  },
  text: (text) => [...text].map((one) => `key ${one}`),
  // Shift with the right button opens the browser's own menu, whatever a page wants.
  avoid: (button: Button, modifiers: Modifier[]) => button === 'right' && modifiers.includes('shift'),
}

/** What these keys write into the field: the page keeps named keys and chords from doing anything. */
export function writtenBy(expected: string[]): string {
  return expected.map((line) => /^key (.{1,2})$/s.exec(line)?.[1] ?? '').join('')
}
