/** As much of the ONNX file format (protocol buffers) as is needed to take a graph apart and put it together again. */

/** `whole` is the field as it stands in the file, `body` what it holds. */
export type Field = { number: number; whole: Buffer; body: Buffer }

export function fieldsOf(message: Buffer): Field[] {
  const fields: Field[] = []
  let at = 0
  const varint = () => {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = message[at++] ?? 0
      value += (byte & 127) * scale
      if (byte < 128) return value
    }
  }
  while (at < message.length) {
    const from = at
    const tag = varint()
    const kind = tag & 7
    let start = at
    if (kind === 0) varint()
    else if (kind === 1) at += 8
    else if (kind === 5) at += 4
    else {
      const length = varint()
      start = at
      at += length
    }
    fields.push({ number: tag >>> 3, whole: message.subarray(from, at), body: message.subarray(start, at) })
  }
  return fields
}

export function bytesField(number: number, body: Buffer | string): Buffer {
  const content = Buffer.from(body)
  return Buffer.concat([varintOf(number * 8 + 2), varintOf(content.length), content])
}

export function numberField(number: number, value: number): Buffer {
  return Buffer.concat([varintOf(number * 8), varintOf(value)])
}

export function floatField(number: number, value: number): Buffer {
  const body = Buffer.alloc(4)
  body.writeFloatLE(value)
  return Buffer.concat([varintOf(number * 8 + 5), body])
}

export function numberIn(body: Buffer): number {
  return body.reduce((sum, byte, n) => sum + (byte & 127) * 128 ** n, 0)
}

function varintOf(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  return Buffer.from([...bytes, rest])
}
