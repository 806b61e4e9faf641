import { z } from 'zod'
import type { Client } from '../../contract/client.ts'
import { GodHandError } from '../../contract/errors.ts'

/**
 * Opens a trace to look at: the file is read and checked, never changed, and no machine starts. A trace that is here
 * already is shown as it is here. Returns the address in the app.
 */
export async function openTraceFile(client: Pick<Client, 'call'>, file: string): Promise<string> {
  try {
    return pathOfTask((await client.call('trace.import', { file, copy: false })).id)
  } catch (thrown) {
    const error = GodHandError.from(thrown)
    const known = z.object({ taskId: z.string() }).safeParse(error.details).data
    if (error.code === 'conflict' && known) return pathOfTask(known.taskId)
    throw error
  }
}

const pathOfTask = (id: string) => `/tasks/${encodeURIComponent(id)}`
