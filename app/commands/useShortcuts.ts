import { useEffect } from 'react'
import { parseRoute } from '../route/route.ts'
import { useStore } from '../state/store.ts'
import { commands } from './all.ts'
import { type Command, isPossible, type Where } from './command.ts'
import { chordOf, restOf } from './keys.ts'

/** How long the second key of "g t" may take. */
const patienceMs = 1500

export function whereNow(): Where {
  const { pathname, search } = window.location
  return { route: parseRoute(pathname, search), world: useStore.getState() }
}

export function perform(command: Command): void {
  const where = whereNow()
  if (isPossible(command, where)) void command.perform(where)
}

/** Keys that a field, a desktop or an open dialog wants are theirs; only what holds Ctrl or Cmd reaches over a field. */
function isTaken(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.repeat || event.isComposing) return true
  if (document.querySelector('dialog[open]')) return true
  if (!(event.target instanceof HTMLElement)) return false
  if (event.target.closest('canvas, [data-keys="own"]')) return true
  const inField = event.target.closest('input, textarea, select, [contenteditable="true"]') !== null
  return inField && !event.ctrlKey && !event.metaKey
}

/** Listens once, for the whole app. */
export function useShortcuts(): void {
  useEffect(() => {
    let pressed: string[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const forget = () => {
      pressed = []
    }
    const press = (event: KeyboardEvent) => {
      const chord = chordOf(event)
      if (chord === null || isTaken(event)) return
      clearTimeout(timer)
      const where = whereNow()
      const follow = (keys: string[]) =>
        commands.find(({ shortcut }) => shortcut !== undefined && restOf(shortcut, keys) !== null)
      // A second key that leads nowhere may itself be a first one.
      pressed = [[...pressed, chord], [chord]].find(follow) ?? []
      if (pressed.length === 0) return
      const done = commands.find(
        (command) => command.shortcut && restOf(command.shortcut, pressed)?.length === 0 && isPossible(command, where),
      )
      if (!done) {
        timer = setTimeout(forget, patienceMs)
        return
      }
      event.preventDefault()
      forget()
      void done.perform(where)
    }
    window.addEventListener('keydown', press)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('keydown', press)
    }
  }, [])
}
