import type { Point, Region } from '../contract/action.ts'
import type { Mark, TextLine } from '../contract/reading.ts'
import type { RawFrame } from '../sandbox/sandbox.ts'
import { area, centre, overlap, touch } from './boxes.ts'
import { digit, numberPath } from './digits.ts'
import { picture } from './frames.ts'
import { readRegions, readText } from './text/read-text.ts'

/** All that can be numbered on a screen. */
export async function readMarks(frame: RawFrame): Promise<Mark[]> {
  return markScreen(await readText(frame), await readRegions(frame))
}

/** Numbers in reading order. A button and the word on it are one mark. */
export function markScreen(lines: TextLine[], regions: Region[]): Mark[] {
  const taken = new Set<TextLine>()
  const onRegions = regions
    .filter((region) => !mostlyText(region, lines))
    .map((box) => {
      const inside = lines.filter((line) => overlap(box, line.box) > 0.8 && box.height < line.box.height * 4)
      for (const line of inside) taken.add(line)
      return { kind: 'region' as const, box, text: inside.map(({ text }) => text).join(' ') }
    })
  const texts = lines.filter((line) => !taken.has(line)).map(({ box, text }) => ({ kind: 'text' as const, box, text }))
  return [...onRegions, ...texts]
    .filter((mark, _, all) => !all.some((other) => other !== mark && covers(mark, other)))
    .toSorted((a, b) => Math.round((a.box.y - b.box.y) / 12) || a.box.x - b.box.x)
    .map((mark, index) => ({ ...mark, number: index + 1, point: centre(mark.box) }))
}

/** Letters are small compact pictures, too: what is made of a line's ink is that line. */
function mostlyText(region: Region, lines: TextLine[]): boolean {
  return lines.some(
    (line) =>
      overlap(line.box, region) > 0.5 && region.width <= line.box.width + 8 && area(region) < area(line.box) * 1.6,
  )
}

/** An empty frame around other marks helps nobody. */
function covers(mark: { kind: string; box: Region; text: string }, other: { box: Region }): boolean {
  return (
    mark.kind === 'region' &&
    mark.text === '' &&
    overlap(mark.box, other.box) > 0.9 &&
    area(mark.box) > area(other.box) * 1.5
  )
}

type Size = { width: number; height: number }

const colours = ['#e11d48', '#2563eb', '#15803d', '#a21caf', '#c2410c', '#0e7490']

/** The screenshot with the marks drawn over it, as PNG. */
export function drawMarks(frame: RawFrame, marks: Mark[]): Promise<Buffer> {
  const unit = 2
  const taken: Region[] = []
  const shapes = marks.map(({ number, box }) => {
    const colour = colours[number % colours.length]
    const size = { width: (String(number).length * (digit.width + 1) + 1) * unit, height: (digit.height + 2) * unit }
    const label = labelPlace(box, size, frame, [...taken, ...marks.map((mark) => mark.box)])
    taken.push(label)
    return `<rect x="${box.x - 0.5}" y="${box.y - 0.5}" width="${box.width + 1}" height="${box.height + 1}" fill="none" stroke="${colour}"/>
      <rect x="${label.x}" y="${label.y}" width="${label.width}" height="${label.height}" fill="${colour}"/>
      <path d="${numberPath(number, label.x + unit, label.y + unit, unit)}" fill="#fff"/>`
  })
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${frame.width}" height="${frame.height}">${shapes.join('')}</svg>`
  return picture(frame)
    .composite([{ input: Buffer.from(svg) }])
    .png({ compressionLevel: 4 })
    .toBuffer()
}

/** Beside its box where it hides nothing that is marked; above it when there is no such place. */
function labelPlace(box: Region, size: Size, screen: Size, others: Region[]): Region {
  const within = ({ x, y }: Point): Region => ({
    x: Math.max(0, Math.min(x, screen.width - size.width)),
    y: Math.max(0, Math.min(y, screen.height - size.height)),
    ...size,
  })
  const places = [
    { x: box.x, y: box.y - size.height },
    { x: box.x - size.width, y: box.y },
    { x: box.x + box.width, y: box.y },
    { x: box.x, y: box.y + box.height },
  ].map(within)
  return (
    places.find((place) => !others.some((other) => touch(place, other))) ?? within({ x: box.x, y: box.y - size.height })
  )
}

/** The marks as lines of text, for a model that gets no picture or a bad one. */
export function listMarks(marks: Mark[]): string {
  return marks
    .map(
      ({ number, kind, text, point }) =>
        `${number}. ${text || (kind === 'region' ? '(picture)' : '')} at ${point.x}, ${point.y}`,
    )
    .join('\n')
}
