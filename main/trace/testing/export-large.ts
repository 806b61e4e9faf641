import { createHash, randomBytes } from 'node:crypto'
import path from 'node:path'
import { exportBundle } from '../export/export-trace.ts'
import { openFrameStore } from '../frame-store.ts'
import { openStore } from '../store.ts'

/**
 * A process whose memory is measured: `node export-large.ts fill|export <folder> <steps>` makes a store with pictures of
 * the size of a desktop's, or exports it and prints the most memory this process ever held, in bytes.
 */
const [mode = '', folder = '', count = '0'] = process.argv.slice(2)
const store = openStore(path.join(folder, 'godhand.db'))
const frames = await openFrameStore(path.join(folder, 'frames'))
const now = new Date().toISOString()
const taskId = 'task_0000000001'

if (mode === 'fill') {
  store.tasks.insert({
    id: taskId,
    goal: 'A long one',
    image: 'desktop',
    planner: 'script',
    state: 'succeeded',
    machineId: null,
    verdict: 'Done.',
    error: null,
    checks: [],
    stepCount: 0,
    createdAt: now,
    startedAt: now,
    endedAt: now,
  })
  const steps: { index: number; hash: string }[] = []
  for (let index = 0; index < Number(count); index++) {
    // Random bytes are as large packed as unpacked, like a PNG; exporting does not look inside.
    const png = randomBytes(100_000)
    const hash = createHash('sha256').update(png).digest('hex')
    await frames.put(hash, png)
    steps.push({ index, hash })
  }
  store.transaction(() => {
    for (const { index, hash } of steps)
      store.steps.append(
        {
          taskId,
          index,
          thought: `Thinking about ${index}. `.repeat(20),
          actions: [
            {
              act: { type: 'exec', command: 'ls', timeoutSeconds: 60 },
              result: { ok: true, text: randomBytes(5000).toString('base64') },
            },
          ],
          before: hash,
          after: hash,
          settle: null,
          checks: [],
          verdict: 'unchecked',
          snapshotBefore: null,
          snapshotAfter: null,
          startedAt: now,
          timing: { planMs: 0, actMs: 0, settleMs: 0, verifyMs: 0, totalMs: 0 },
        },
        [{ hash, width: 1280, height: 800, bytes: 100_000, createdAt: now }],
      )
  })
} else {
  await exportBundle(store, frames, taskId, path.join(folder, 'large.ghtrace'))
  console.log(process.resourceUsage().maxRSS * 1024)
}
store.close()
