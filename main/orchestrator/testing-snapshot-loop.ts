import { silentLog } from '../log.ts'
import { currentPaths } from '../paths.ts'
import { openEngine } from './engine.ts'

/**
 * A process for tests to kill: goes on from the newest snapshot there is, writes its number to disk and memory, keeps
 * it, says so in a line of JSON, and starts over, for ever.
 */
const engine = await openEngine({ paths: currentPaths(), log: silentLog })
const [newest] = await engine.call('snapshot.list', {})
const { id: machineId } = await (newest
  ? engine.call('vm.restore', { snapshotId: newest.id })
  : engine.call('vm.create', {}))
for (let number = Number(newest?.label ?? 0) + 1; ; number++) {
  const command = `echo ${number} > ~/number; echo ${number} > /dev/shm/number`
  const { exitCode, stderr } = await engine.call('vm.exec', { machineId, command })
  if (exitCode !== 0) throw new Error(stderr)
  const { id } = await engine.call('vm.snapshot', { machineId, label: String(number) })
  process.stdout.write(`${JSON.stringify({ id, number })}\n`)
}
