import { GodHandError } from '../../contract/errors.ts'
import type { ExecResult, MachineState } from '../../contract/machine.ts'
import type { ExecOptions, InputEvent, RawFrame, Sandbox } from '../../sandbox/sandbox.ts'

/** A machine in memory for unit tests: a screen one can draw on, a record of the input, and commands one can answer. */
export class DrawnSandbox implements Sandbox {
  readonly id = 'drawn'
  readonly image = 'drawn'
  readonly memoryMb = 0
  readonly cpus = 1
  readonly pid = null
  readonly state: MachineState = { kind: 'running' }
  readonly screen: { width: number; height: number }
  readonly batches: InputEvent[][] = []
  readonly commands: string[][] = []
  readonly files = new Map<string, Buffer>()
  captures = 0
  /** Called before each capture with the time since the machine was made: draw what the screen shows then. */
  onCapture: (sandbox: DrawnSandbox, sinceStartMs: number) => void = () => {}
  onInput: (events: InputEvent[]) => void = () => {}
  /** What a command answers; undefined means that there is no such program. */
  onExec: ((argv: string[], options: ExecOptions) => Partial<ExecResult> | undefined) | null = null
  private readonly rgb: Buffer
  private readonly startedAt = performance.now()

  constructor(width = 640, height = 400) {
    this.screen = { width, height }
    this.rgb = Buffer.alloc(width * height * 3, 32)
  }

  get events(): InputEvent[] {
    return this.batches.flat()
  }

  fill(x: number, y: number, width: number, height: number, value: number): void {
    for (let row = y; row < y + height; row++) {
      const start = (row * this.screen.width + x) * 3
      this.rgb.fill(value, start, start + width * 3)
    }
  }

  show(frame: RawFrame): void {
    frame.rgb.copy(this.rgb)
  }

  frame(): RawFrame {
    return { ...this.screen, rgb: Buffer.from(this.rgb) }
  }

  async capture(): Promise<RawFrame> {
    this.captures++
    this.onCapture(this, performance.now() - this.startedAt)
    return this.frame()
  }

  async input(events: InputEvent[]): Promise<void> {
    this.batches.push(events)
    this.onInput(events)
  }

  exec(command: string, options: ExecOptions = {}): Promise<ExecResult> {
    return this.execFile(['sh', '-c', command], options)
  }

  async execFile(argv: string[], options: ExecOptions = {}): Promise<ExecResult> {
    this.commands.push(argv)
    if (this.onExec === null) throw new GodHandError('unsupported', 'This machine runs no commands.')
    const answer = this.onExec(argv, options)
    const missing = { exitCode: 127, stderr: `${argv[0]}: not found` }
    return { exitCode: 0, stdout: '', stderr: '', truncated: false, ...(answer ?? missing) }
  }

  async readFile(path: string): Promise<Buffer> {
    const content = this.files.get(path)
    if (content === undefined) throw new GodHandError('not_found', `There is no file ${path}.`)
    return content
  }

  async writeFile(path: string, content: Buffer): Promise<void> {
    this.files.set(path, content)
  }

  onDeath(): void {}
  async pause(): Promise<void> {}
  async resume(): Promise<void> {}
  async destroy(): Promise<void> {}
  async snapshot(): Promise<never> {
    throw new GodHandError('unsupported', 'A drawn machine has no snapshots.')
  }
  async openGuestPort(): Promise<never> {
    throw new GodHandError('unsupported', 'A drawn machine has no network.')
  }

  async openVnc(): Promise<never> {
    throw new GodHandError('unsupported', 'A drawn machine has no live view.')
  }
}
