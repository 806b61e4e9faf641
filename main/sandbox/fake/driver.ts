import type { Capabilities } from '../../contract/machine.ts'
import type { OnProgress } from '../../contract/progress.ts'
import type { DoctorCheck } from '../../contract/rpc.ts'
import type { SandboxDriver, SandboxSpec, SnapshotFiles } from '../sandbox.ts'
import { type FakeExec, FakeSandbox } from './machine.ts'

/** Painted machines: for work on the UI and for tests of the layers above. Nothing runs in them. */
export class FakeDriver implements SandboxDriver {
  readonly name = 'fake'
  readonly machines: FakeSandbox[] = []
  readonly #exec: FakeExec

  constructor(exec: FakeExec = runsNothing) {
    this.#exec = exec
  }

  async capabilities(): Promise<Capabilities> {
    return {
      driver: this.name,
      accelerator: null,
      exec: true,
      ramSnapshot: true,
      diskSnapshot: true,
      fork: true,
      pause: true,
      liveView: false,
      unproven: [],
    }
  }

  async prepare(_image: string, onProgress: OnProgress): Promise<void> {
    onProgress({ step: 'Painting a desktop', done: 1, total: 1 })
  }

  async create(spec: SandboxSpec): Promise<FakeSandbox> {
    const machine = await FakeSandbox.load(spec, this.#exec)
    this.machines.push(machine)
    return machine
  }

  async verifySnapshot(): Promise<void> {}

  async adoptSnapshot(files: SnapshotFiles): Promise<void> {
    await FakeSandbox.load({ id: files.id, image: 'desktop', fromSnapshot: files }, this.#exec)
  }

  async compressSnapshot(): Promise<number> {
    return 0
  }

  async examine(): Promise<DoctorCheck[]> {
    return [{ name: 'machines', status: 'warning', summary: 'Machines are painted: nothing really runs in them.' }]
  }

  async removeOrphans(): Promise<string[]> {
    return []
  }

  async close(): Promise<void> {
    await Promise.all(this.machines.map((machine) => machine.destroy()))
  }
}

const runsNothing: FakeExec = (argv) => ({
  exitCode: 127,
  stdout: '',
  stderr: `a painted machine runs no programs: ${argv[0]}`,
  truncated: false,
})
