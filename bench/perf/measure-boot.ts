import fs from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Lab } from './lab.ts'

const LIMIT_MS = 300_000

/** From power-on until the guest itself says that its desktop is drawn, and a screenshot of it is here. */
export async function measureColdBoot(lab: Lab): Promise<void> {
  const times = Math.min(lab.repeats, 5)
  for (let round = 1; round <= times; round++) {
    lab.say(`cold boot ${round}/${times}`)
    const began = performance.now()
    const machine = await lab.create({ boot: true })
    await desktopDrawn(path.join(lab.paths.machines, machine.id, 'serial.log'))
    await machine.capture()
    lab.samples.add('cold-boot', performance.now() - began)
    await machine.destroy()
  }
}

export async function desktopDrawn(serialLog: string): Promise<void> {
  const deadline = performance.now() + LIMIT_MS
  while (!(await fs.readFile(serialLog, 'latin1').catch(() => '')).includes('GODHAND-READY')) {
    if (performance.now() > deadline) throw new Error('The guest did not start its desktop within five minutes.')
    await delay(20)
  }
}
