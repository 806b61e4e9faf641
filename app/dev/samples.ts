import type { Branch } from '../../main/contract/branching.ts'
import type { Machine, Snapshot } from '../../main/contract/machine.ts'
import type { Output } from '../../main/contract/rpc.ts'
import type { StateDiff } from '../../main/contract/state-diff.ts'
import type { Step, Task } from '../../main/contract/task.ts'
import { noUsage } from '../../main/contract/usage.ts'

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

export function aBranch(over: Partial<Branch> = {}): Branch {
  return {
    id: 'branch-1',
    taskId: 'task-1',
    decisionId: 'choice-1',
    parentId: null,
    option: 0,
    plan: 'With the keyboard',
    planner: 'script',
    fromSnapshot: null,
    machineId: null,
    state: 'waiting',
    won: false,
    verdict: null,
    reasons: [],
    checks: [],
    changes: [],
    wanted: [],
    unwanted: [],
    diff: null,
    cost: { steps: 0, failures: 0, ms: 0, usage: noUsage },
    endSnapshot: null,
    files: [],
    frame: null,
    createdAt: '2026-11-02T09:00:03.000Z',
    endedAt: null,
    ...over,
  }
}

export function aDiff(): StateDiff {
  const facts = { bytes: 74, modified: 0, mode: '644', owner: 'user' }
  return {
    files: {
      added: [{ path: '/home/user/poem.txt', ...facts, text: 'The sea has no editor.' }],
      removed: [{ path: '/home/user/Pictures/old.jpg', ...facts }],
      changed: [
        { path: '/home/user/.profile', before: facts, after: { ...facts, bytes: 90 }, diff: '-umask 022\n+umask 027' },
      ],
    },
    processes: { started: [{ pid: 811, user: 'user', name: 'mousepad', command: 'mousepad poem.txt' }], ended: [] },
    windows: { opened: [{ id: '0x1', class: 'mousepad', title: 'poem.txt - Mousepad' }], closed: [], retitled: [] },
    packages: { installed: [], removed: [], changed: [] },
    ports: { opened: [], closed: [] },
    screen: { boxes: [], share: 0.23 },
    unknown: [],
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
