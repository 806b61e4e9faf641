import { performAction } from '../../main/screen/input.ts'
import { closeTextReader, readText } from '../../main/screen/text/read-text.ts'
import { settledFrame } from './good-frame.ts'
import type { Lab } from './lab.ts'

/** Two columns of prose, from the top of the screen to its bottom. */
const FULL = 'pr -2 -t -w 138 -l 42 /usr/share/common-licenses/GPL-3 | expand | head -n 40; exec cat'

/** Text on the screen: all of it by a reader that has never seen this terminal, and again when a line was typed. */
export async function measureReading(lab: Lab): Promise<void> {
  const machine = await lab.create()
  const desktop = await settledFrame(machine)
  await machine.execFile(['sh', '-c', 'setsid xterm -maximized -e sh -c "$1" </dev/null >/dev/null 2>&1 &', 'sh', FULL])
  await machine.execFile(['sh', '-c', 'until xdotool search --onlyvisible --class xterm; do sleep 0.1; done'])
  await machine.exec('xdotool search --onlyvisible --class xterm windowactivate --sync')
  const full = await settledFrame(machine)
  await performAction(machine, { type: 'type', text: 'a line of 6 words more' })
  const changed = await settledFrame(machine)
  for (let round = 0; round < lab.repeats; round++) {
    lab.say(`reading ${round + 1}/${lab.repeats}`)
    await closeTextReader()
    await readText(desktop) // loading the networks is not what is measured
    const lines = await lab.samples.time('read-screen', () => readText({ ...full }))
    const words = lines.reduce((sum, line) => sum + line.words.length, 0)
    if (words < 300) throw new Error(`Only ${words} words were read from a screen full of text.`)
    await lab.samples.time('read-change', () => readText({ ...changed }))
  }
  await closeTextReader()
  await machine.destroy()
}
