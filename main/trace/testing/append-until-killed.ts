import fs from 'node:fs'
import { openStore } from '../store.ts'

/**
 * A process for crash tests: `node append-until-killed.ts <database> <taskId> <machineId>` writes steps and prints the
 * number of each, until it is killed.
 */
const [file = '', taskId = '', machineId = ''] = process.argv.slice(2)
const store = openStore(file)
store.tasks.update(taskId, { state: 'preparing' })
store.machines.insert({
  id: machineId,
  name: 'desktop',
  driver: 'fake',
  image: 'desktop',
  pid: process.pid,
  parentSnapshot: null,
  taskId,
  createdAt: new Date().toISOString(),
})
store.snapshots.begin({
  id: 'snap_half',
  parentId: null,
  machineId,
  taskId,
  label: null,
  image: 'desktop',
  pinned: false,
  createdAt: new Date().toISOString(),
})
store.tasks.update(taskId, { state: 'running', machineId })
for (let index = 0; ; index++) {
  store.steps.append({
    taskId,
    index,
    thought: 'Still here',
    actions: [],
    before: null,
    after: null,
    settle: null,
    checks: [],
    verdict: 'unchecked',
    snapshotBefore: null,
    snapshotAfter: null,
    startedAt: new Date().toISOString(),
    timing: { planMs: 0, actMs: 0, settleMs: 0, verifyMs: 0, totalMs: 0 },
  })
  // Only after the commit, and synchronously: what was told must be there after the kill.
  fs.writeSync(1, `${index}\n`)
}
