import fs from 'node:fs'
import path from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { Environment } from '../../contract/environment.ts'
import { noUsage } from '../../contract/usage.ts'
import { exportBundle } from '../export/export-trace.ts'
import { emptyHouse, record } from '../testing/recorded.ts'
import { finished, sampleBranch, sampleMachine, sampleSnapshot } from '../testing/samples.ts'
import { openBundle } from './bundle-reader.ts'
import { Lineage, Manifest, StepLine } from './format.ts'
import { jsonSchema, jsonSchemaFile } from './json-schema.ts'

const published = JSON.parse(fs.readFileSync(jsonSchemaFile, 'utf8'))

test('docs/trace.schema.json is what the code reads (else run node main/trace/bundle/json-schema.ts)', () => {
  expect(published).toEqual(JSON.parse(JSON.stringify(jsonSchema())))
})

test('the schema names every file of the bundle and refuses other versions', () => {
  expect(Object.keys(published.properties)).toEqual(['manifest', 'step', 'lineage'])
  expect(published.properties.manifest.properties.version).toMatchObject({ const: 1 })
})

/** What another program makes of it: it knows the published file and nothing of the code. Times have patterns too. */
function validators() {
  const ajv = new Ajv2020({ schemas: [{ ...published, $id: 'trace' }], validateFormats: false })
  const of = (part: 'manifest' | 'step' | 'lineage') => {
    const validate = ajv.compile({ $ref: `trace#/properties/${part}` })
    return (value: unknown) => (validate(value) ? null : ajv.errorsText(validate.errors))
  }
  return { manifest: of('manifest'), step: of('step'), lineage: of('lineage') }
}

const check = validators()

/** A bundle with everything there is in a trace. */
async function exportedFiles() {
  const house = await emptyHouse()
  const machine = sampleMachine()
  const task = await record(house, {
    step: (index) =>
      index === 1
        ? {
            branchId: 'branch_1',
            machineId: machine.id,
            by: 'person',
            usage: { ...noUsage, inputTokens: 7 },
            notices: ['It answered late.'],
            dialogue: { question: 'Which one?', answer: null },
            actions: [
              { act: { type: 'checkpoint', label: 'one' }, result: { ok: true, said: 'Kept.', snapshot: 'snap_1' } },
            ],
          }
        : {},
  })
  const { store } = house
  store.machines.insert({ ...machine, taskId: task.id })
  store.machines.setEnvironment(machine.id, Environment.parse({ imageHash: 'a'.repeat(64), qemuVersion: '10.0.2' }))
  store.snapshots.begin(sampleSnapshot({ id: 'snap_1', taskId: task.id, machineId: machine.id }))
  store.snapshots.finish('snap_1', finished)
  store.branches.insert(sampleBranch(task.id, { id: 'branch_1', state: 'passed', won: true, fromSnapshot: 'snap_1' }))
  store.conversations.save(task.id, null, { steps: 3, usage: { ...noUsage, usd: 0.01, outputTokens: 9 }, elapsedMs: 5 })
  store.tags.add(task.id, 'demo')
  const file = path.join(house.folder, 'a.ghtrace')
  await exportBundle(store, house.frames, task.id, file)
  const bundle = await openBundle(file)
  const read = async (name: string) => (await bundle.read(name)).toString()
  const files = {
    manifest: JSON.parse(await read('manifest.json')),
    lineage: JSON.parse(await read('lineage.json')),
    steps: (await read('steps.jsonl'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  }
  bundle.close()
  return files
}

test('an exported bundle fits the published schema, as a validator that is not ours reads it', async () => {
  const { manifest, lineage, steps } = await exportedFiles()
  expect(check.manifest(manifest)).toBeNull()
  expect(check.lineage(lineage)).toBeNull()
  expect(steps.map(check.step)).toEqual([null, null, null])
  expect(check.step({ ...steps[0], fromTheFuture: true })).toBeNull() // fields may be added within a version
})

test('what does not fit is refused by the schema and by the code alike', async () => {
  const { manifest, lineage, steps } = await exportedFiles()
  const line = steps[0]
  const step = (part: object) => ({ ...line, step: { ...line.step, ...part } })
  const { index, ...withoutIndex } = line.step
  const badSteps = [
    { ...line, step: withoutIndex },
    { ...line, chain: 'abc' },
    step({ index: -1 }),
    step({ verdict: 'maybe' }),
    step({ before: '<script>' }),
    step({ taskId: '../../x' }),
    step({ startedAt: 'yesterday' }),
    step({ actions: [{ act: { type: 'format_disk' }, result: { ok: true } }] }),
    step({ checks: [{ assertion: line.step.checks[0].assertion }] }),
    [],
    null,
  ]
  for (const bad of badSteps) {
    expect(check.step(bad), JSON.stringify(bad)).not.toBeNull()
    expect(StepLine.safeParse(bad).success, JSON.stringify(bad)).toBe(false)
  }
  for (const bad of [
    { ...manifest, version: 2 },
    { ...manifest, tags: ['<b>'] },
    { ...manifest, steps: {} },
  ]) {
    expect(check.manifest(bad)).not.toBeNull()
    expect(Manifest.safeParse(bad).success).toBe(false)
  }
  const badLineage = { ...lineage, branches: [{ ...lineage.branches[0], state: 'lost' }] }
  expect(check.lineage(badLineage)).not.toBeNull()
  expect(Lineage.safeParse(badLineage).success).toBe(false)
})
