import { GodHandError } from '../../contract/errors.ts'
import type { InputEvent, Sandbox } from '../../sandbox/sandbox.ts'
import { down, pace, pause, up } from './hands.ts'
import { assign, spareCharacters } from './spare-keys.ts'
import { type Stroke, strokeFor } from './us-layout.ts'

/** How long a slow program may lag behind the keyboard before a spare key gets a new meaning. */
const catchUpMs = 1500

/** Types any text. `\n` is the Return key, `\t` the Tab key. */
export async function typeText(sandbox: Sandbox, text: string, signal?: AbortSignal): Promise<void> {
  const characters = [...text.normalize('NFC').replace(/\r\n?/g, '\n')]
  refuseControls(characters)
  let from = 0
  while (from < characters.length) {
    const part = roundFrom(characters, from)
    const foreign = part.filter((character) => strokeFor(character) === undefined)
    let strokes = new Map<string, Stroke>()
    if (foreign.length > 0) {
      const assignment = assign(sandbox, foreign)
      const rest = assignment.freshlyUsedAt === 0 ? 0 : assignment.freshlyUsedAt + catchUpMs - performance.now()
      if (rest > 0) await pause(rest, signal)
      await assignment.teach()
      strokes = assignment.strokes
    }
    await strike(
      sandbox,
      part.map((character) => strokeFor(character) ?? strokes.get(character)).filter((stroke) => stroke !== undefined),
      signal,
    )
    from += part.length
  }
}

/** As many characters as can be typed with one set of spare keys. */
function roundFrom(characters: string[], from: number): string[] {
  const foreign = new Set<string>()
  let to = from
  for (; to < characters.length; to++) {
    const character = characters[to] ?? ''
    if (strokeFor(character) === undefined) {
      if (!foreign.has(character) && foreign.size === spareCharacters) break
      foreign.add(character)
    }
  }
  return characters.slice(from, to)
}

/**
 * A key's down and up stay in one batch, so that a guest that stands still in between never sees a held key and starts
 * repeating it.
 */
async function strike(sandbox: Sandbox, strokes: Stroke[], signal?: AbortSignal): Promise<void> {
  let batch: InputEvent[] = []
  const flush = async () => {
    if (batch.length === 0) return
    const sent = performance.now()
    await sandbox.input(batch)
    batch = []
    // A guest that was slow to take them is slow to hand them on, too.
    await pause(Math.max(pace.betweenBatchesMs, Math.min(performance.now() - sent, pace.slowestBatchMs)), signal)
  }
  for (const stroke of strokes) {
    const keys = stroke.shift ? ['shift', stroke.code] : [stroke.code]
    if (batch.length + keys.length * 2 > pace.keyEventsPerBatch) await flush()
    batch.push(...down(keys), ...up(keys))
  }
  await flush()
}

export async function strikeChord(sandbox: Sandbox, chord: string[], signal?: AbortSignal): Promise<void> {
  await sandbox.input([...down(chord), ...up(chord)])
  await pause(pace.betweenBatchesMs, signal)
}

function refuseControls(characters: string[]): void {
  const control = characters.find((character) => /[\p{Cc}\p{Cs}]/u.test(character) && !'\n\t'.includes(character))
  if (control === undefined) return
  const name = `U+${(control.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
  throw new GodHandError('bad_request', `The text contains the control character ${name}, which nobody can type.`, {
    hint: 'Use the key action for keys such as Escape or ctrl+c.',
  })
}
