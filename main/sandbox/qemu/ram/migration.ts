import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { GodHandError } from '../../../contract/errors.ts'
import type { QemuProcess } from '../process.ts'

const Migration = z.object({ status: z.string().optional(), 'error-desc': z.string().optional() })

/** Waits for a migration under way, out or in. */
export async function migrated(qemu: QemuProcess): Promise<void> {
  for (;;) {
    const state = Migration.parse(await qemu.qmp.execute('query-migrate'))
    if (state.status === 'completed') return
    if (state.status === 'failed' || state.status === 'cancelled')
      throw new GodHandError(
        'machine_error',
        `The memory could not be saved or loaded: ${state['error-desc'] ?? state.status}`,
      )
    await delay(2)
  }
}
