import { GodHandError } from '../../contract/errors.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { Stroke } from './us-layout.ts'

/**
 * Characters that are on no key of the keyboard are put on keys that nobody uses: the guest's X server is told (xmodmap)
 * what F13… mean, and then these keys are pressed like any other. So text arrives in order, through the same road,
 * in every program, with no clipboard and no input method involved.
 *
 * A program translates a key when it gets round to the event, not when the key was pressed. Therefore a key never changes
 * its meaning right after use: the one longest unused is taken, and when all are freshly used the caller waits first.
 */

/** QEMU's key code and the X key code (Linux's + 8) it arrives as. */
const spare: readonly (readonly [code: string, xKeycode: number])[] = [
  ['f13', 191],
  ['f14', 192],
  ['f15', 193],
  ['f16', 194],
  ['f17', 195],
  ['f18', 196],
  ['f19', 197],
  ['f20', 198],
  ['f21', 199],
  ['f22', 200],
  ['f23', 201],
  ['f24', 202],
]

/** Two characters a key: bare, and with shift. */
export const spareCharacters = spare.length * 2

type Slot = { index: number; character: string | null; usedAt: number }

const slotsOf = new WeakMap<Sandbox, Slot[]>()

function slots(sandbox: Sandbox): Slot[] {
  const known = slotsOf.get(sandbox)
  if (known) return known
  const fresh = Array.from({ length: spareCharacters }, (_, index) => ({ index, character: null, usedAt: 0 }))
  slotsOf.set(sandbox, fresh)
  return fresh
}

export type Assignment = { strokes: Map<string, Stroke>; freshlyUsedAt: number }

/** Chooses a key for each of these characters (at most `spareCharacters`). Nothing reaches the guest before `teach`. */
export function assign(sandbox: Sandbox, characters: string[]): { teach: () => Promise<void> } & Assignment {
  const all = slots(sandbox)
  const wanted = [...new Set(characters)]
  const kept = all.filter((slot) => slot.character !== null && wanted.includes(slot.character))
  const missing = wanted.filter((character) => !kept.some((slot) => slot.character === character))
  const free = all.filter((slot) => !kept.includes(slot)).toSorted((a, b) => a.usedAt - b.usedAt)
  const taken = missing.map((character, n) => {
    const slot = free[n]
    if (slot === undefined) throw new GodHandError('internal', 'More characters than spare keys.')
    return { slot, character }
  })
  const strokes = new Map<string, Stroke>()
  for (const slot of kept) if (slot.character !== null) strokes.set(slot.character, strokeOf(slot))
  for (const { slot, character } of taken) strokes.set(character, strokeOf(slot))
  return {
    strokes,
    freshlyUsedAt: Math.max(0, ...taken.map(({ slot }) => slot.usedAt)),
    async teach() {
      for (const { slot, character } of taken) slot.character = character
      const changed = new Set(taken.map(({ slot }) => slot.index >> 1))
      await tellGuest(sandbox, all, changed, wanted).catch((error: unknown) => {
        for (const { slot } of taken) slot.character = null
        throw error
      })
      const now = performance.now()
      for (const slot of all) if (slot.character !== null && wanted.includes(slot.character)) slot.usedAt = now
    },
  }
}

function strokeOf(slot: Slot): Stroke {
  return { code: spare[slot.index >> 1]?.[0] ?? '', shift: slot.index % 2 === 1 }
}

/** Of the keys that change alone: at each one every program reads the whole keyboard anew, the window manager for a second. */
async function tellGuest(sandbox: Sandbox, all: Slot[], changed: Set<number>, wanted: string[]): Promise<void> {
  if (changed.size === 0) return
  const lines = spare.flatMap(([, keycode], key) => {
    const pair = [all[key * 2], all[key * 2 + 1]].map((slot) => keysym(slot?.character ?? null))
    return changed.has(key) ? [`keycode ${keycode} = ${pair.join(' ')}`] : []
  })
  const naming = `“${wanted.slice(0, 20).join('')}”`
  const result = await sandbox
    .execFile(['env', 'DISPLAY=:0', 'xmodmap', '-'], { stdin: `${lines.join('\n')}\n`, timeoutMs: 10_000 })
    .catch((cause: unknown) => {
      const error = GodHandError.from(cause)
      if (error.code !== 'unsupported') throw error
      throw new GodHandError('unsupported', `The characters ${naming} are on no key of the guest's keyboard.`, {
        hint: 'Without commands in the guest only the characters of a US keyboard can be typed.',
        cause,
        details: { characters: wanted },
      })
    })
  if (result.exitCode !== 0)
    throw new GodHandError('unsupported', `The guest could not be taught to type ${naming}.`, {
      hint: 'It needs the program xmodmap and an X display :0.',
      details: { characters: wanted, exitCode: result.exitCode, stderr: result.stderr.slice(0, 500) },
    })
}

function keysym(character: string | null): string {
  if (character === null) return 'NoSymbol'
  return `U${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}
