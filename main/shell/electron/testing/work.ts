import type { Machine } from '../../../contract/machine.ts'
import { noon } from '../../../trace/testing/samples.ts'

export function aMachine(part: Partial<Machine> = {}): Machine {
  return {
    id: 'vm_1',
    name: 'quiet-heron',
    driver: 'fake',
    image: 'desktop',
    state: { kind: 'running' },
    parentSnapshot: null,
    taskId: null,
    memoryMb: 2048,
    cpus: 2,
    screen: { width: 1280, height: 800 },
    pid: null,
    createdAt: noon,
    startedInMs: 90,
    ...part,
  }
}
