import type { Point } from '../../../contract/action.ts'

/**
 * A place, in any of the ways models write one: [x, y], "(x, y)", "<point>x y</point>", {x, y}, [[x, y]], or a box, which
 * means its middle.
 */
export function readPoint(value: unknown): Point | null {
  if (typeof value === 'string') return fromNumbers(numbersIn(value))
  if (Array.isArray(value)) {
    const flat: unknown[] = value.flat(3)
    const [first] = flat
    if (typeof first === 'object' && first !== null) return readPoint(first)
    return fromNumbers(flat.map(Number))
  }
  if (typeof value !== 'object' || value === null) return null
  const known = new Map(Object.entries(value).map(([key, item]) => [key.toLowerCase(), item]))
  const inside = known.get('point') ?? known.get('coordinate') ?? known.get('bbox') ?? known.get('bbox_2d')
  if (inside !== undefined) return readPoint(inside)
  return known.has('x') && known.has('y') ? fromNumbers([Number(known.get('x')), Number(known.get('y'))]) : null
}

function numbersIn(text: string): number[] {
  return (text.match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number)
}

function fromNumbers(numbers: number[]): Point | null {
  if (numbers.length < 2 || numbers.some((number) => !Number.isFinite(number))) return null
  const [a = 0, b = 0, c, d] = numbers
  return c === undefined || d === undefined ? { x: a, y: b } : { x: (a + c) / 2, y: (b + d) / 2 }
}
