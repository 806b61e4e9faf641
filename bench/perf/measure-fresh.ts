import { looksLike, settledFrame } from './good-frame.ts'
import type { Lab } from './lab.ts'

/** From the call to a screenshot that shows the desktop as it is when nothing moves. */
export async function measureFresh(lab: Lab): Promise<void> {
  lab.say('preparing the template')
  await lab.driver.prepare(lab.image.name, () => {})
  const first = await lab.create()
  const wanted = await settledFrame(first)
  await first.destroy()
  for (let round = 1; round <= lab.repeats; round++) {
    lab.say(`fresh desktop ${round}/${lab.repeats}`)
    const machine = await lab.samples.time('fresh-desktop', async () => {
      const made = await lab.create()
      while (!looksLike(wanted, await made.capture()));
      return made
    })
    await machine.destroy()
  }
}
