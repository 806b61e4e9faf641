import type { RawFrame } from '../sandbox.ts'
import type { FakeMemory } from './machine.ts'

type Colour = [number, number, number]

/** A desktop in broad strokes: background, a bar, one block a key pressed, and a pointer. */
export function paint(screen: { width: number; height: number }, memory: FakeMemory): RawFrame {
  const rgb = Buffer.alloc(screen.width * screen.height * 3)
  const fill = (x0: number, y0: number, width: number, height: number, colour: Colour) => {
    for (let y = Math.max(0, y0); y < Math.min(screen.height, y0 + height); y++)
      for (let x = Math.max(0, x0); x < Math.min(screen.width, x0 + width); x++)
        colour.forEach((value, channel) => {
          rgb[(y * screen.width + x) * 3 + channel] = value
        })
  }
  fill(0, 0, screen.width, screen.height, [52, 84, 120])
  fill(0, screen.height - 36, screen.width, 36, [32, 36, 48])
  memory.keys.forEach((code, index) => {
    const column = index % 60
    const row = Math.floor(index / 60) % 30
    fill(40 + column * 20, 40 + row * 22, 16, 18, shade(code))
  })
  fill(Math.round(memory.pointer.x), Math.round(memory.pointer.y), 8, 12, [255, 255, 255])
  return { ...screen, rgb }
}

function shade(code: string): Colour {
  const sum = [...code].reduce((total, character) => total + (character.codePointAt(0) ?? 0), 0)
  return [120 + (sum % 120), 120 + ((sum * 7) % 120), 120 + ((sum * 13) % 120)]
}
