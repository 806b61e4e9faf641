import fs from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openFrameStore } from './frame-store.ts'
import { temporaryFolder } from './testing/samples.ts'

const hash = 'ab'.repeat(32)
const png = Buffer.from('a picture')

test('a frame is kept under its hash and read back', async () => {
  const folder = path.join(temporaryFolder(), 'frames')
  const store = await openFrameStore(folder)
  expect(await store.get(hash)).toBeNull()
  await store.put(hash, png)
  expect(await store.get(hash)).toEqual(png)
  expect(await fs.readFile(path.join(folder, 'ab', `${hash}.png`))).toEqual(png)
  expect(await fs.readdir(path.join(folder, 'tmp'))).toEqual([])
})

test('the same frame is stored once, also when many put it at the same time', async () => {
  const folder = temporaryFolder()
  const store = await openFrameStore(folder)
  await Promise.all(Array.from({ length: 20 }, () => store.put(hash, png)))
  const file = path.join(folder, 'ab', `${hash}.png`)
  const { ino } = await fs.stat(file)
  await store.put(hash, Buffer.from('something else'))
  expect((await fs.stat(file)).ino).toBe(ino)
  expect(await store.get(hash)).toEqual(png)
  expect(await fs.readdir(path.join(folder, 'ab'))).toEqual([`${hash}.png`])
})

test.each(['../../etc/passwd', 'ab', '', `${hash}/../x`, hash.toUpperCase(), `${hash}\n`, `${'../'.repeat(21)}a`])(
  'the name %j never becomes a path',
  async (name) => {
    const store = await openFrameStore(temporaryFolder())
    await expect(store.get(name)).rejects.toMatchObject({ code: 'bad_request' })
    await expect(store.put(name, png)).rejects.toMatchObject({ code: 'bad_request' })
  },
)

test('a picture lost with the power is missing, and can be put again', async () => {
  const folder = temporaryFolder()
  const store = await openFrameStore(folder)
  await store.put(hash, png)
  await fs.truncate(path.join(folder, 'ab', `${hash}.png`))
  expect(await store.get(hash)).toBeNull()
  await store.put(hash, png)
  expect(await store.get(hash)).toEqual(png)
})

test('what a crash left half written is gone after the next open', async () => {
  const folder = temporaryFolder()
  await openFrameStore(folder)
  await fs.writeFile(path.join(folder, 'tmp', 'half'), 'ha')
  await openFrameStore(folder)
  expect(await fs.readdir(path.join(folder, 'tmp'))).toEqual([])
})
