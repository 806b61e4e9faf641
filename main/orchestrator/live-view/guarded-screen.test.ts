import { once } from 'node:events'
import { beforeEach, expect, test, vi } from 'vitest'
import { GuardedScreen } from './guarded-screen.ts'
import type { Hand } from './rfb-messages.ts'
import { HearingScreen, rfb, type } from './testing.ts'

let screen: HearingScreen
let view: GuardedScreen
let allowed: boolean
let hands: Hand[]
beforeEach(() => {
  screen = new HearingScreen()
  allowed = false
  hands = []
  view = new GuardedScreen(screen, {
    allows: () => allowed,
    onHand: async (hand) => {
      hands.push(hand)
    },
  })
  view.write(rfb.greeting)
})

const hex = (...parts: Buffer[]) => Buffer.concat([rfb.greeting, ...parts]).toString('hex')

test('whoever may only look is shown the screen, and whatever else they send is dropped', async () => {
  const attempts = [
    ...type('rm -rf /\n'),
    rfb.qemuKey(0x61, true),
    rfb.pointer(1, 5, 5),
    rfb.cutText('evil'),
    rfb.desktopSize,
    rfb.powerOff,
  ]
  view.write(Buffer.concat([rfb.encodings, ...attempts, rfb.update]))
  await vi.waitFor(() => expect(screen.bytes).toBe(hex(rfb.encodings, rfb.update)))
  expect(hands).toEqual([])
  screen.push(Buffer.from('a picture'))
  const [seen] = await once(view, 'data')
  expect(String(seen)).toBe('a picture')
})

test('hands that are allowed are told of and let through', async () => {
  allowed = true
  view.write(Buffer.concat([rfb.key(0x61, true), rfb.pointer(0, 1, 1)]))
  await vi.waitFor(() => expect(screen.bytes).toBe(hex(rfb.key(0x61, true), rfb.pointer(0, 1, 1))))
  expect(hands).toHaveLength(2)
})

test('nothing stays pressed when the hands are taken away', async () => {
  allowed = true
  const pressed = [rfb.qemuKey(0xffe3, true, 29), rfb.pointer(1, 7, 8)]
  view.write(Buffer.concat(pressed))
  await vi.waitFor(() => expect(screen.bytes).toBe(hex(...pressed)))
  allowed = false
  view.letGo()
  const released = [rfb.qemuKey(0xffe3, false, 29), rfb.pointer(0, 7, 8)]
  await vi.waitFor(() => expect(screen.bytes).toBe(hex(...pressed, ...released)))
  view.write(rfb.pointer(0, 9, 9))
  view.write(rfb.update)
  await vi.waitFor(() => expect(screen.bytes).toBe(hex(...pressed, ...released, rfb.update)))
})

test('a client that cannot be understood is shown out', async () => {
  const closed = new Promise((resolve) => view.once('close', resolve))
  view.on('error', () => {})
  view.write(Buffer.from([99, 1, 2, 3]))
  await closed
  expect(screen.destroyed).toBe(true)
})
