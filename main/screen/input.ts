import type { Action } from '../contract/action.ts'
import { GodHandError } from '../contract/errors.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { modifierKeys, parseChords } from './input/chord.ts'
import { holding, lastPointer, moveTo, onScreen, pause, press, release } from './input/hands.ts'
import { click, drag, scroll } from './input/pointer.ts'
import { strikeChord, typeText } from './input/typing.ts'

/**
 * Does one action by hand. Everything is checked before the first event goes out, so a refused action has done nothing.
 * `text` is the answer of actions that ask something. Looking (screenshot, zoom) is the caller's: it needs the frame.
 */
export async function performAction(
  sandbox: Sandbox,
  action: Action,
  signal?: AbortSignal,
): Promise<{ text?: string }> {
  switch (action.type) {
    case 'screenshot':
      return {}
    case 'zoom':
      onScreen(sandbox, action.region)
      onScreen(sandbox, { x: action.region.x + action.region.width, y: action.region.y + action.region.height })
      return {}
    case 'move':
      await moveTo(sandbox, onScreen(sandbox, action.to))
      return {}
    case 'click': {
      const keys = modifierKeys(action.modifiers)
      const at = action.at && onScreen(sandbox, action.at)
      await holding(sandbox, keys, () => click(sandbox, at, action.button, action.count))
      return {}
    }
    case 'drag': {
      const keys = modifierKeys(action.modifiers)
      for (const point of action.path) onScreen(sandbox, point)
      await holding(sandbox, keys, () => drag(sandbox, action.path, action.button, signal))
      return {}
    }
    case 'mouse_down':
      await goTo(sandbox, action.at)
      await press(sandbox, action.button)
      return {}
    case 'mouse_up':
      await goTo(sandbox, action.at)
      await release(sandbox, action.button)
      return {}
    case 'scroll': {
      const keys = modifierKeys(action.modifiers)
      await goTo(sandbox, action.at)
      await holding(sandbox, keys, () => scroll(sandbox, action.dx, action.dy, signal))
      return {}
    }
    case 'type':
      await typeText(sandbox, action.text, signal)
      return {}
    case 'key': {
      const chords = parseChords(action.chord)
      for (let n = 0; n < action.repeat; n++) for (const chord of chords) await strikeChord(sandbox, chord, signal)
      return {}
    }
    case 'hold': {
      const keys = parseChords(action.chord).flat()
      await holding(sandbox, keys, () => pause(action.seconds * 1000, signal))
      return {}
    }
    case 'wait':
      await pause(action.seconds * 1000, signal)
      return {}
    case 'cursor': {
      const at = await pointerPosition(sandbox)
      return { text: `X=${at.x},Y=${at.y}` }
    }
  }
}

async function goTo(sandbox: Sandbox, at: { x: number; y: number } | undefined): Promise<void> {
  if (at !== undefined) await moveTo(sandbox, onScreen(sandbox, at))
}

/** The guest knows best (a person may have moved it in the live view); where it cannot be asked, our own last move. */
async function pointerPosition(sandbox: Sandbox): Promise<{ x: number; y: number }> {
  const asked = await sandbox
    .execFile(['env', 'DISPLAY=:0', 'xdotool', 'getmouselocation', '--shell'], { timeoutMs: 5000 })
    .catch(() => undefined)
  const found = /^X=(\d+)\nY=(\d+)/.exec(asked?.exitCode === 0 ? asked.stdout : '')
  if (found) return { x: Number(found[1]), y: Number(found[2]) }
  const last = lastPointer(sandbox)
  if (last) return last
  throw new GodHandError('unsupported', 'Nobody knows where the pointer is: it has not been moved yet.', {
    hint: 'Move it first.',
  })
}
