import { Duplex } from 'node:stream'

/** What a client sends, byte by byte as RFB has it. */
export const rfb = {
  greeting: Buffer.concat([Buffer.from('RFB 003.008\n'), Buffer.from([1]), Buffer.from([1])]),
  update: Buffer.from([3, 1, 0, 0, 0, 0, 5, 0, 3, 32]),
  key(keysym: number, down: boolean): Buffer {
    const bytes = Buffer.alloc(8)
    bytes.writeUInt8(4, 0)
    bytes.writeUInt8(down ? 1 : 0, 1)
    bytes.writeUInt32BE(keysym, 4)
    return bytes
  },
  /** With the scan code beside the keysym, as noVNC sends it to QEMU. */
  qemuKey(keysym: number, down: boolean, code = 30): Buffer {
    const bytes = Buffer.alloc(12)
    bytes.writeUInt8(255, 0)
    bytes.writeUInt16BE(down ? 1 : 0, 2)
    bytes.writeUInt32BE(keysym, 4)
    bytes.writeUInt32BE(code, 8)
    return bytes
  },
  pointer(buttons: number, x: number, y: number): Buffer {
    const bytes = Buffer.from([5, buttons, 0, 0, 0, 0])
    bytes.writeUInt16BE(x, 2)
    bytes.writeUInt16BE(y, 4)
    return bytes
  },
  cutText(text: string): Buffer {
    const bytes = Buffer.alloc(8 + text.length)
    bytes.writeUInt8(6, 0)
    bytes.writeInt32BE(text.length, 4)
    bytes.write(text, 8, 'latin1')
    return bytes
  },
  encodings: Buffer.from([2, 0, 0, 2, 0, 0, 0, 0, 255, 255, 254, 254]),
  desktopSize: Buffer.concat([Buffer.from([251, 0, 4, 0, 3, 0, 1, 0]), Buffer.alloc(16)]),
  powerOff: Buffer.from([250, 0, 1, 2]),
  fence: Buffer.from([248, 0, 0, 0, 0, 0, 0, 1, 2, 7, 7]),
}

const SHIFT = 0xffe1

/** With Shift where a keyboard needs it: the machine knows keys, not characters. */
export function type(text: string): Buffer[] {
  return [...text].flatMap((character) => {
    const keysym = character === '\n' ? 0xff0d : (character.codePointAt(0) ?? 0)
    const pressed = [rfb.key(keysym, true), rfb.key(keysym, false)]
    const needsShift = /[A-Z~!@#$%^&*()_+{}|:"<>?]/.test(character)
    return needsShift ? [rfb.key(SHIFT, true), ...pressed, rfb.key(SHIFT, false)] : pressed
  })
}

/** A screen that shows nothing and remembers what it was sent. */
export class HearingScreen extends Duplex {
  readonly heard: Buffer[] = []

  override _read(): void {}

  override _write(bytes: Buffer, _encoding: string, done: () => void): void {
    this.heard.push(bytes)
    done()
  }

  get bytes(): string {
    return Buffer.concat(this.heard).toString('hex')
  }
}
