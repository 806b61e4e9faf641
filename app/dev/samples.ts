import type { Machine, Snapshot } from '../../main/contract/machine.ts'
import type { Output } from '../../main/contract/rpc.ts'
import type { Step, Task } from '../../main/contract/task.ts'

/** Plain, valid things to start from, in tests of the UI and in its make-believe engine. */

export function aTask(over: Partial<Task> = {}): Task {
  return {
    id: 'task-1',
    goal: 'Write a letter',
    image: 'desktop',
    planner: 'demo',
    state: 'queued',
    machineId: null,
    verdict: null,
    error: null,
    checks: [],
    stepCount: 0,
    createdAt: '2026-11-02T09:00:00.000Z',
    startedAt: null,
    endedAt: null,
    ...over,
  }
}

export function aStep(over: Partial<Step> = {}): Step {
  return {
    taskId: 'task-1',
    index: 0,
    thought: 'Open the editor',
    actions: [],
    before: null,
    after: null,
    settle: null,
    checks: [],
    verdict: 'unchecked',
    snapshotBefore: null,
    snapshotAfter: null,
    startedAt: '2026-11-02T09:00:01.000Z',
    timing: { planMs: 0, actMs: 120, settleMs: 240, verifyMs: 60, totalMs: 420 },
    ...over,
  }
}

export function aMachine(over: Partial<Machine> = {}): Machine {
  return {
    id: 'machine-1',
    name: 'quiet-heron',
    driver: 'qemu',
    image: 'desktop',
    state: { kind: 'running' },
    parentSnapshot: null,
    taskId: null,
    memoryMb: 2048,
    cpus: 2,
    screen: { width: 1280, height: 800 },
    pid: 4242,
    createdAt: '2026-11-02T09:00:00.000Z',
    startedInMs: 640,
    ...over,
  }
}

export function aSnapshot(over: Partial<Snapshot> = {}): Snapshot {
  return {
    id: 'snap-1',
    parentId: null,
    machineId: 'machine-1',
    taskId: null,
    label: null,
    image: 'desktop',
    templateKey: 'k',
    pinned: false,
    createdAt: '2026-11-02T09:00:02.000Z',
    pauseMs: 212,
    diskBytes: 18_400_000,
    ramBytes: 64_000_000,
    frame: null,
    ...over,
  }
}

export function anInfo(over: Partial<Output<'engine.info'>> = {}): Output<'engine.info'> {
  return {
    version: '0.1.0',
    pid: 1234,
    home: '~/.local/share/godhand',
    startedAt: '2026-11-02T08:59:00.000Z',
    readiness: { kind: 'ready', image: 'desktop', accelerator: 'tcg' },
    capabilities: {
      driver: 'qemu',
      accelerator: 'tcg',
      exec: true,
      ramSnapshot: true,
      diskSnapshot: true,
      fork: true,
      pause: true,
      liveView: true,
      unproven: ['hvf', 'whpx'],
    },
    notices: [],
    ...over,
  }
}
