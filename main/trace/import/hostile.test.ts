import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { exportBundle } from '../export/export-trace.ts'
import { openSource } from '../export/source.ts'
import { bundleOf, frameNames, hostile, prepareSound, script } from '../testing/hostile-bundles.ts'
import { everything } from '../testing/raw-zip.ts'
import { emptyHouse, type House, record } from '../testing/recorded.ts'
import { sampleBranch } from '../testing/samples.ts'
import { importBundle } from './import-bundle.ts'

test('the same files sealed by hand are taken, so what is refused below is refused for what was changed', async () => {
  await prepareSound()
  const house = await emptyHouse()
  const file = path.join(house.folder, 'sound.ghtrace')
  fs.writeFileSync(
    file,
    bundleOf(() => {}),
  )
  await expect(importBundle(file, house.store, house.frames)).resolves.toMatchObject({ frames: 4, newFrames: 4 })
})

test.each(hostile)('%s is refused (%s) and leaves nothing', async (_, kind, make) => {
  await prepareSound()
  const house = await emptyHouse()
  const file = path.join(house.folder, 'hostile.ghtrace')
  fs.writeFileSync(file, await make())
  const before = state(house)
  const refusal = importBundle(file, house.store, house.frames)
  await expect(refusal).rejects.toMatchObject({
    code: kind === 'version' ? 'unsupported' : 'corrupt',
    message: expect.stringMatching(/refused: .+ Nothing was imported\.$/s),
    details: { problem: { kind } },
  })
  expect(state(house)).toEqual(before)
})

test('a trace that is here already is not overwritten, and can come in as a copy', async () => {
  await prepareSound()
  const house = await emptyHouse()
  const file = path.join(house.folder, 'sound.ghtrace')
  fs.writeFileSync(
    file,
    bundleOf(() => {}),
  )
  const first = await importBundle(file, house.store, house.frames)
  await expect(importBundle(file, house.store, house.frames)).rejects.toMatchObject({ code: 'conflict' })
  const second = await importBundle(file, house.store, house.frames, { copy: true })
  expect(second.task.id).not.toBe(first.task.id)
  expect(second.newFrames).toBe(0)
  expect(house.store.steps.list(second.task.id)).toHaveLength(3)
  expect(await house.frames.get(frameNames()[0]?.slice(7, 71) ?? '')).not.toBeNull()
})

test('a copy has branches of its own, and exported again its steps still name them', async () => {
  const house = await emptyHouse()
  const task = await record(house, { step: () => ({ branchId: 'branch_1' }) })
  house.store.branches.insert(sampleBranch(task.id, { id: 'branch_1', won: true }))
  const file = path.join(house.folder, 'a.ghtrace')
  await exportBundle(house.store, house.frames, task.id, file)
  const copy = await importBundle(file, house.store, house.frames, { copy: true })
  const { lineage, steps } = openSource(house.store, house.frames, copy.task.id)
  const [branch] = lineage.branches ?? []
  expect(branch).toMatchObject({ taskId: copy.task.id, won: true })
  expect(branch?.id).not.toBe('branch_1')
  for await (const step of steps()) expect(step.branchId).toBe(branch?.id)
})

test('a cancelled import leaves nothing', async () => {
  await prepareSound()
  const house = await emptyHouse()
  const file = path.join(house.folder, 'sound.ghtrace')
  fs.writeFileSync(
    file,
    bundleOf(() => {}),
  )
  const before = state(house)
  const stop = new AbortController()
  const onProgress = ({ step }: { step: string }) => {
    if (step === 'Storing pictures') stop.abort()
  }
  await expect(
    importBundle(file, house.store, house.frames, { signal: stop.signal, onProgress }),
  ).rejects.toMatchObject({ code: 'cancelled' })
  expect(state(house)).toEqual(before)
})

test('markup in free text stays the text it is: a trace may well be about a web page', async () => {
  await prepareSound()
  const house = await emptyHouse()
  const task = await record(house, { task: { goal: script }, step: () => ({ thought: `</script>${script}` }) })
  const file = path.join(house.folder, 'a.ghtrace')
  await exportBundle(house.store, house.frames, task.id, file)
  const other = await emptyHouse()
  await importBundle(file, other.store, other.frames)
  expect(other.store.tasks.get(task.id)?.goal).toBe(script)
})

function state(house: House) {
  const temporary = fs.readdirSync(os.tmpdir()).filter((name) => name.startsWith('godhand-import-'))
  return { files: everything(house.folder), temporary, tasks: house.store.tasks.list(), use: house.store.diskUse() }
}
