import { privateMemory } from '../../main/sandbox/qemu/private-memory.ts'
import { CHANGE, type Lab } from './lab.ts'

const WIDTHS = [1, 3, 8] as const

/** A live machine is snapshotted and its children started, all at once; done when each has answered a screenshot. */
export async function measureForks(lab: Lab): Promise<void> {
  const parent = await lab.create()
  await parent.exec(CHANGE)
  for (const width of WIDTHS) {
    for (let round = 1; round <= lab.repeats; round++) {
      lab.say(`fork into ${width}, ${round}/${lab.repeats}`)
      const children = await lab.samples.time(`fork-${width}`, async () => {
        const into = await lab.newSnapshotFolder()
        await parent.snapshot(into)
        return Promise.all(
          Array.from({ length: width }, async () => {
            const child = await lab.create({ fromSnapshot: into })
            await child.capture()
            return child
          }),
        )
      })
      if (width === 3)
        for (const child of children) {
          await child.exec('true') // connected again and clock set, as a fork is when it waits for work
          const bytes = await privateMemory(child.pid)
          if (bytes !== null) lab.samples.add('fork-memory', bytes)
        }
      await Promise.all(children.map((child) => child.destroy()))
    }
  }
  await parent.destroy()
  await lab.removeSnapshots()
}
