import { GodHandError } from '../../main/contract/errors.ts'
import type { ExportJob } from '../../main/contract/export.ts'
import { methods } from '../../main/contract/rpc.ts'
import type { FakeWorld } from './fake-world.ts'

let made = 0

/** A file that grows in a few steps; what is fetched in the end says what was wished for. */
export async function fakeExport(
  world: FakeWorld,
  method: 'export.start' | 'export.cancel',
  params: unknown,
  paceMs: number,
): Promise<ExportJob> {
  const enter = (job: ExportJob) => {
    world.exports.set(job.id, job)
    world.tell({ type: 'export', job })
    return job
  }
  if (method === 'export.cancel') {
    const job = world.exports.get(methods[method].input.parse(params).exportId)
    if (!job) throw new GodHandError('not_found', 'There is no such export.')
    return enter({ ...job, state: 'cancelled' })
  }
  const { taskId, format, redact } = methods[method].input.parse(params)
  const job: ExportJob = {
    id: `work${++made}`,
    taskId,
    format,
    name: `${taskId}${redact ? '-redacted' : ''}.${format === 'bundle' ? 'ghtrace' : format}`,
    state: 'working',
    progress: null,
    file: null,
    bytes: null,
    error: null,
  }
  world.exports.set(job.id, job)
  void (async () => {
    for (let done = 0; done < 4; done++) {
      if (world.exports.get(job.id)?.state !== 'working') return
      enter({ ...job, progress: { step: 'Writing pictures', done, total: 4 } })
      await new Promise((resolve) => setTimeout(resolve, paceMs / 4))
    }
    if (world.exports.get(job.id)?.state === 'working') enter({ ...job, state: 'done', bytes: 1_200_000 })
  })()
  return job
}
