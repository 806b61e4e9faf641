import type { Image, ImageWork } from '../../main/contract/image.ts'
import type { MachineUse } from '../../main/contract/machine.ts'
import type { FakeWorld } from './fake-world.ts'

const anImage = (over: Partial<Image>): Image => ({
  id: 'desktop-1bd1620951a9',
  name: 'desktop',
  origin: 'ours',
  exec: true,
  key: '1bd1620951a9'.padEnd(64, '0'),
  bytes: 234_881_024,
  diskSha256: 'ff5d0765d3f97d1f'.padEnd(64, '0'),
  packages: 359,
  builtAt: '2026-11-01T08:00:00.000Z',
  ...over,
})

let images: Image[] = [
  anImage({}),
  anImage({ id: 'desktop-03aa8c77e1f2', key: '03aa8c77e1f2'.padEnd(64, '0'), builtAt: '2026-09-14T08:00:00.000Z' }),
  anImage({ id: 'office-9ebb22a6c446', name: 'office', origin: 'extended', bytes: 311_427_072 }),
  anImage({ id: 'haiku-5c01d2f9aa10', name: 'haiku', origin: 'imported', exec: false, bytes: 702_545_920 }),
]

export const fakeImages = () => images

export function removeFakeImage(id: string): { freedBytes: number } {
  const freedBytes = images.find((image) => image.id === id)?.bytes ?? 0
  images = images.filter((image) => image.id !== id)
  return { freedBytes }
}

/** As long as the real one would like to be: a few seconds. */
export async function makeFakeImage(
  world: FakeWorld,
  what: ImageWork['what'],
  name: string,
  paceMs: number,
): Promise<Image> {
  const work = { id: `work_${name}`, what, name }
  for (let done = 0; done < 100; done += 2) {
    const progress = { step: done < 60 ? 'Installing the guest’s packages' : 'Compressing the disk', done, total: 100 }
    world.tell({ type: 'image', work: { ...work, progress, state: 'running' } })
    await new Promise((resolve) => setTimeout(resolve, paceMs / 8))
  }
  world.tell({ type: 'image', work: { ...work, progress: { step: '', done: 1, total: 1 }, state: 'done' } })
  const origin = what === 'import' ? 'imported' : 'ours'
  const image = anImage({ id: `${name}-${Date.now().toString(16)}`, name, origin, exec: what !== 'import' })
  images = [image, ...images]
  return image
}

export const fakeUse = (world: FakeWorld): MachineUse[] =>
  [...world.machines.keys()].map((machineId, index) => ({
    machineId,
    memoryBytes: 118_000_000 + index * 21_000_000,
    diskBytes: 4_300_000 * (index + 1),
  }))
