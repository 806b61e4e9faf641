import sharp from 'sharp'
import type { Point } from '../../contract/action.ts'
import type { Format } from '../planners/local/formats/format.ts'
import { type ChatAnswer, type ChatBody, imagesIn, OpenAiChatServer } from '../wire/openai-chat-server.ts'
import { drawChart } from './targets.ts'

/** How a made-up model counts: from the share of the screen to its own numbers. */
export type Bend = (share: Point, picture: { width: number; height: number }) => Point

/** A model with eyes: looks for the button's colour in the picture it was sent, and says where, bent by `bend`. */
export function seeing(model: string, format: Format, bend: Bend): Promise<OpenAiChatServer> {
  return OpenAiChatServer.start([model], async (request): Promise<ChatAnswer> => {
    const label = /labelled "(\w+)"/.exec(questionIn(request))?.[1] ?? ''
    const share = await find(request, label)
    const { x, y } = bend(share.at, share.picture)
    return said(format, x, y)
  })
}

function questionIn({ messages }: ChatBody): string {
  return JSON.stringify(messages.at(-1)).replaceAll('\\"', '"')
}

const colours = new Map(
  (await drawChart({ width: 1280, height: 800 }, Math.random)).targets.map(({ label, colour }) => [label, colour]),
)

async function find({ messages }: ChatBody, label: string) {
  const { data, info } = await sharp(imagesIn(messages)[0]).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const colour = Buffer.from((colours.get(label) ?? '#000000').slice(1), 'hex')
  let [left, right, top, bottom] = [info.width, 0, info.height, 0]
  for (let at = 0; at < data.length; at += 3) {
    if (
      Math.abs((data[at] ?? 0) - (colour[0] ?? 0)) +
        Math.abs((data[at + 1] ?? 0) - (colour[1] ?? 0)) +
        Math.abs((data[at + 2] ?? 0) - (colour[2] ?? 0)) >
      12
    )
      continue
    const [x, y] = [(at / 3) % info.width, Math.floor(at / 3 / info.width)]
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
  }
  return { at: { x: (left + right + 1) / 2 / info.width, y: (top + bottom + 1) / 2 / info.height }, picture: info }
}

function said(format: Format, x: number, y: number): ChatAnswer {
  const [a, b] = [Math.round(x * 100) / 100, Math.round(y * 100) / 100]
  if (format.id === 'tools') return { calls: [{ name: 'click', arguments: { x: a, y: b } }] }
  if (format.id === 'ui-tars-1.5') return { text: `Action: click(start_box='(${a},${b})')` }
  if (format.id === 'holo3')
    return { text: `{"thought": "", "tool_call": {"tool_name": "click", "x": ${a}, "y": ${b}}}` }
  return {
    text: `<tool_call>{"name": "computer_use", "arguments": {"action": "left_click", "coordinate": [${a}, ${b}]}}</tool_call>`,
  }
}
