import { type Act, describeAct, type Point } from '../../contract/action.ts'

/** What was done, as the Python that OSWorld's machines run: pyautogui for hands, the standard library for the rest. */
export function pythonAction(act: Act): string | null {
  switch (act.type) {
    case 'screenshot':
    case 'zoom':
    case 'cursor':
      return null // looking is not acting
    case 'move':
      return `pyautogui.moveTo(${at(act.to)})`
    case 'click':
      return held(
        act.modifiers,
        `pyautogui.click(${args(act.at && at(act.at), `clicks=${act.count}`, `button=${button(act.button)}`)})`,
      )
    case 'drag': {
      const [start, ...rest] = act.path
      const moves = rest.map((point) => `pyautogui.dragTo(${at(point)}, button=${button(act.button)})`)
      return held(act.modifiers, [start && `pyautogui.moveTo(${at(start)})`, ...moves].filter(Boolean).join('\n'))
    }
    case 'mouse_down':
      return `pyautogui.mouseDown(${args(act.at && at(act.at), `button=${button(act.button)}`)})`
    case 'mouse_up':
      return `pyautogui.mouseUp(${args(act.at && at(act.at), `button=${button(act.button)}`)})`
    case 'scroll': {
      const place = act.at && at(act.at)
      const lines = [
        act.dy !== 0 && `pyautogui.scroll(${args(String(-act.dy), place)})`,
        act.dx !== 0 && `pyautogui.hscroll(${args(String(act.dx), place)})`,
      ]
      return held(act.modifiers, lines.filter(Boolean).join('\n'))
    }
    case 'type':
      return `pyautogui.typewrite(${text(act.text)})`
    case 'key': {
      const keys = act.chord.split('+').map((key) => text(key.toLowerCase()))
      const press = keys.length > 1 ? `pyautogui.hotkey(${keys.join(', ')})` : `pyautogui.press(${keys[0]})`
      return Array.from({ length: act.repeat }, () => press).join('\n')
    }
    case 'hold': {
      const keys = act.chord.split('+').map((key) => text(key.toLowerCase()))
      return [
        ...keys.map((key) => `pyautogui.keyDown(${key})`),
        `time.sleep(${act.seconds})`,
        ...keys.toReversed().map((key) => `pyautogui.keyUp(${key})`),
      ].join('\n')
    }
    case 'wait':
      return `time.sleep(${act.seconds})`
    case 'exec':
      return `subprocess.run(${text(act.command)}, shell=True, timeout=${act.timeoutSeconds})`
    case 'read_file':
      return `open(${text(act.path)}).read()`
    case 'write_file':
      return `open(${text(act.path)}, "w").write(${text(act.text)})`
    case 'checkpoint':
    case 'rollback':
    case 'branch':
      return `pass  # ${describeAct(act).replace(/\s+/g, ' ')}`
  }
}

function held(modifiers: string[] | undefined, code: string): string {
  const keys = (modifiers ?? []).map((key) => text(key))
  return [
    ...keys.map((key) => `pyautogui.keyDown(${key})`),
    code,
    ...keys.toReversed().map((key) => `pyautogui.keyUp(${key})`),
  ].join('\n')
}

const at = ({ x, y }: Point) => `${Math.round(x)}, ${Math.round(y)}`
const args = (...parts: (string | undefined)[]) => parts.filter((part) => part !== undefined).join(', ')
const button = (name: string) => text(name)
/** A JSON string is a Python string too, apart from lone halves of surrogate pairs, which JSON writes as escapes. */
const text = (value: string) => JSON.stringify(value.toWellFormed())
