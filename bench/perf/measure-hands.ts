import { setTimeout as delay } from 'node:timers/promises'
import type { RawFrame } from '../../main/sandbox/sandbox.ts'
import { settledFrame } from './good-frame.ts'
import type { Lab } from './lab.ts'

/** The things an agent does all the time. */
export async function measureHands(lab: Lab): Promise<void> {
  const times = lab.repeats * 4
  const machine = await lab.create()
  await machine.exec('true') // the handshake is not what is measured
  lab.say(`${times} commands`)
  for (let round = 0; round < times; round++) await lab.samples.time('exec', () => machine.exec('true'))
  lab.say(`${times} screenshots`)
  for (let round = 0; round < times; round++) await lab.samples.time('screenshot', () => machine.capture())

  await machine.exec('setsid xterm -geometry 80x24+100+100 </dev/null >/dev/null 2>&1 &')
  await machine.execFile(['sh', '-c', 'until xdotool search --onlyvisible --class xterm; do sleep 0.1; done'])
  await machine.exec('xdotool search --onlyvisible --class xterm windowactivate --sync')
  await settledFrame(machine)
  for (let round = 0; round < times; round++) {
    lab.say(`key ${round + 1}/${times}`)
    const before = windowOf(await machine.capture())
    const began = performance.now()
    await machine.input([
      { kind: 'key', code: 'x', down: true },
      { kind: 'key', code: 'x', down: false },
    ])
    while (windowOf(await machine.capture()).equals(before))
      if (performance.now() - began > 10_000) throw new Error('A key that was sent changed nothing on the screen.')
    lab.samples.add('key-to-pixels', performance.now() - began)
    await delay(50)
  }
  await machine.destroy()
}

/** The rows the terminal is in: the panel's clock lies outside. */
function windowOf({ width, rgb }: RawFrame): Buffer {
  return rgb.subarray(100 * width * 3, 400 * width * 3)
}
