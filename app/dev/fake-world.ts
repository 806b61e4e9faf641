import type { BenchmarkRun } from '../../main/contract/benchmark.ts'
import type { Branch } from '../../main/contract/branching.ts'
import type { ExportJob } from '../../main/contract/export.ts'
import type { Machine, Snapshot } from '../../main/contract/machine.ts'
import type { DoctorCheck, EngineEvent, Readiness } from '../../main/contract/rpc.ts'
import type { Step, Task } from '../../main/contract/task.ts'
import type { RetentionPolicy } from '../../main/contract/trace.ts'
import { someBenchmarks } from './fake-benchmarks.ts'
import type { Scene } from './fake-frames.ts'
import { replayedStep } from './fake-replay.ts'
import { passed, stepOf } from './fake-story.ts'
import { growTree } from './fake-tree.ts'
import { aMachine, aTask } from './samples.ts'

/** Everything the make-believe engine knows, and how it tells. */
export class FakeWorld {
  tasks = new Map<string, Task>()
  steps = new Map<string, Step[]>()
  machines = new Map<string, Machine>()
  scenes = new Map<string, Scene>()
  snapshots: Snapshot[] = []
  branches = new Map<string, Branch>()
  benchmarks: BenchmarkRun[] = []
  tags = new Map<string, string[]>()
  exports = new Map<string, ExportJob>()
  retention: RetentionPolicy | null = null
  readiness: Readiness = { kind: 'ready', image: 'desktop', accelerator: 'tcg' }
  listeners = new Set<(event: EngineEvent) => void>()

  tell(event: EngineEvent): void {
    if (event.type === 'task') this.tasks.set(event.task.id, event.task)
    if (event.type === 'machine') this.machines.set(event.machine.id, event.machine)
    if (event.type === 'branch') this.branches.set(event.branch.id, event.branch)
    if (event.type === 'readiness') this.readiness = event.readiness
    if (event.type === 'step') {
      const { taskId, index } = event.step
      this.steps.set(taskId, [...(this.steps.get(taskId) ?? []), event.step])
      const task = this.tasks.get(taskId)
      if (task) this.tasks.set(taskId, { ...task, stepCount: Math.max(task.stepCount, index + 1) })
    }
    for (const listener of this.listeners) listener(event)
  }

  async fill(now: number, longSteps: number): Promise<void> {
    const at = (minutes: number) => new Date(now - minutes * 60_000).toISOString()
    const past: Task[] = [
      aTask({
        id: 'poem',
        goal: 'Show what you can do on a fresh desktop',
        state: 'succeeded',
        verdict: 'The poem is in /home/user/poem.txt and the terminal could read it back.',
        checks: [
          passed('/home/user/poem.txt exists and contains “sea”.', { size: 74, sha256: 'b6f1…' }),
          passed('The terminal shows the poem.', { text: 'means it both times' }),
        ],
        stepCount: 6,
        createdAt: at(12),
        startedAt: at(12),
        endedAt: at(11.7),
      }),
      aTask({
        id: 'again',
        goal: 'Write the poem about the sea once more',
        planner: 'replay:poem',
        state: 'succeeded',
        verdict: 'The same steps led to the same end.',
        checks: [passed('/home/user/poem.txt exists and contains “sea”.', { size: 74, sha256: 'b6f1…' })],
        stepCount: 6,
        createdAt: at(9),
        startedAt: at(9),
        endedAt: at(8.8),
      }),
      aTask({
        id: 'invoices',
        goal: 'Collect the three newest invoices from the billing page, rename them by date and put them into the folder Invoices, then tell me the sum',
        planner: 'anthropic:claude',
        state: 'failed',
        verdict: 'The billing page asked for a password that nobody had given.',
        error: {
          code: 'timeout',
          message: 'The page did not get past its login within the time allowed.',
          hint: 'Sign in by hand in a kept desktop first, or allow more minutes.',
        },
        stepCount: 2,
        createdAt: at(190),
        startedAt: at(190),
        endedAt: at(171),
      }),
      aTask({
        id: 'crashed',
        goal: 'Rename every photo in Pictures by the day it was taken',
        planner: 'anthropic:claude',
        state: 'interrupted',
        verdict: 'The engine stopped in the middle of it.',
        stepCount: 3,
        createdAt: at(60 * 27),
        startedAt: at(60 * 27),
      }),
      aTask({
        id: 'stopped',
        goal: 'Install the image editor',
        planner: 'script',
        state: 'stopped',
        verdict: 'Stopped by you.',
        createdAt: at(60 * 24 * 12),
      }),
    ]
    if (longSteps > 0)
      past.push(
        aTask({
          id: 'long',
          goal: `A task of ${longSteps} steps`,
          state: 'succeeded',
          verdict: 'Done.',
          stepCount: longSteps,
          createdAt: at(60 * 24 * 20),
          startedAt: at(60 * 24 * 20),
          endedAt: at(60 * 24 * 20 - 50),
        }),
      )
    for (const task of past) {
      this.tasks.set(task.id, task)
      const steps: Step[] = []
      for (let index = 0; index < task.stepCount; index++) {
        const step = await stepOf(task.id, index, now)
        steps.push(task.id === 'again' ? await replayedStep(step) : step)
      }
      this.steps.set(task.id, steps)
    }
    await this.addMachines(at)
    this.benchmarks = someBenchmarks()
    this.tags.set('poem', ['keep', 'poetry'])
  }

  private async addMachines(at: (minutes: number) => string): Promise<void> {
    const heron = aMachine({ id: 'heron', name: 'quiet-heron', createdAt: at(4) })
    const otter = aMachine({
      id: 'otter',
      name: 'patient-otter',
      image: 'minimal',
      state: { kind: 'paused' },
      memoryMb: 1024,
      cpus: 1,
      createdAt: at(95),
      taskId: 'poem',
    })
    for (const machine of [heron, otter]) this.machines.set(machine.id, machine)
    this.scenes.set('heron', { editor: 'Dear sea,' })
    this.scenes.set('otter', { terminal: ['user@desktop:~$ uptime'] })
    await growTree(this, at)
  }

  readonly doctor: DoctorCheck[] = [
    {
      name: 'Accelerator',
      status: 'warning',
      summary: 'Software emulation (TCG): /dev/kvm is there, but a test machine did not start with it.',
      hint: 'GodHand works without it, more slowly. Check that virtualisation is on in the firmware.',
      details: { probed: ['kvm'], reason: 'guest hung for 5 s' },
    },
    { name: 'QEMU', status: 'ok', summary: 'QEMU 10.0.3, bundled.', details: { version: '10.0.3', source: 'bundle' } },
    { name: 'Guest image', status: 'ok', summary: 'desktop, built 2 days ago, 1.2 GB.' },
    { name: 'Template', status: 'ok', summary: 'desktop: a machine starts from it in 0.6 s.' },
    {
      name: 'Disk',
      status: 'problem',
      summary: '1.1 GB are free; a snapshot may not fit.',
      hint: 'Free some space, or set GODHAND_HOME to a folder on a larger disk.',
      fix: 'tidy',
    },
    {
      name: 'Hyper-V and WHPX',
      status: 'unproven',
      summary: 'Written, but nobody has run it on this kind of computer yet.',
    },
  ]
}
