import path from 'node:path'
import { silentLog } from '../log.ts'
import { currentPaths } from '../paths.ts'
import { FakeDriver } from '../sandbox/fake/driver.ts'
import { openEngine } from './engine.ts'

/**
 * A process for tests to kill: keeps, forks, collects and moves snapshots, for ever. Says in a line of JSON which ones,
 * named and so never collected, are kept from then on.
 */
const paths = currentPaths()
const engine = await openEngine({ paths, log: silentLog, driver: new FakeDriver() })
await engine.call('snapshot.budget', { bytes: 0 })
const start = (await engine.call('snapshot.list', {})).length
for (let number = start; ; number++) {
  const { id: machineId } = await engine.call('vm.create', {})
  for (let press = 0; press <= number % 7; press++)
    await engine.call('vm.act', { machineId, action: { type: 'key', chord: 'a' } })
  const { id, frame } = await engine.call('vm.snapshot', { machineId, label: `number ${number}` })
  process.stdout.write(`${JSON.stringify({ id, frame })}\n`)
  await engine.call('vm.snapshot', { machineId })
  const [child] = await engine.call('vm.fork', { machineId, count: 1 })
  for (const each of [machineId, child?.id ?? '']) await engine.call('vm.destroy', { machineId: each })
  await engine.call('snapshot.collect', {})
  const elsewhere = path.basename(path.dirname(paths.snapshots)) === 'here' ? 'there' : 'here'
  await engine.call('snapshot.move', { folder: path.join(paths.home, elsewhere) })
}
