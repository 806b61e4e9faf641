import type { Duplex } from 'node:stream'
import type { Button, Point } from '../contract/action.ts'
import type { Environment } from '../contract/environment.ts'
import type { Capabilities, ExecResult, MachineState, MachineUse } from '../contract/machine.ts'
import type { OnProgress } from '../contract/progress.ts'
import type { DoctorCheck } from '../contract/rpc.ts'
import type { TerminalSize } from '../contract/terminal.ts'
import type { Wanted } from './egress/packets.ts'

/**
 * Layer 1: a machine, whoever provides it. A driver states what it can do in `capabilities`; asking for more throws
 * GodHandError('unsupported'). A sandbox is a resumed snapshot: booting is what makes the first one.
 */
export interface SandboxDriver {
  readonly name: string
  capabilities(): Promise<Capabilities>
  /** Makes sure a fresh desktop can be had at once: template there, sound and matching. Safe to call again. */
  prepare(image: string, onProgress: OnProgress, signal?: AbortSignal): Promise<void>
  /** A machine of its own: from a snapshot, else from the image's template, else (boot) from power-on. */
  create(spec: SandboxSpec, signal?: AbortSignal): Promise<Sandbox>
  /** Looks at every byte of a snapshot and of what it stands on. Throws GodHandError('corrupt'). */
  verifySnapshot(files: SnapshotFiles): Promise<void>
  /**
   * Looks at a snapshot that came from elsewhere before it may ever be booted: that it names nothing outside itself and
   * `known`, the snapshots it may stand on, and that every byte is as recorded. Throws 'corrupt'. Left out: none is taken.
   */
  adoptSnapshot?(files: SnapshotFiles, known: ReadonlySet<string>): Promise<void>
  /** Makes a cold snapshot smaller on disk; it stays bootable. Returns the bytes its memory takes now. */
  compressSnapshot(files: SnapshotFiles): Promise<number>
  /** What machines of an image are made of, for the trace. Left out: the driver cannot say. */
  environment?(image: string): Promise<Environment>
  /** What the driver itself needs and found here, for the doctor. Never throws. */
  examine(): Promise<DoctorCheck[]>
  /** Ends what an earlier engine left behind, and says what it was. Safe to call again. */
  removeOrphans(): Promise<string[]>
  close(): Promise<void>
}

export type SandboxSpec = {
  id: string
  image: string
  memoryMb?: number | undefined
  cpus?: number | undefined
  boot?: boolean | undefined
  fromSnapshot?: SnapshotFiles | undefined
  /** Told how far it is when a template must be made first. */
  onProgress?: OnProgress | undefined
}

/** Where a snapshot lies and what it stands on. The store owns the folder; the driver reads and writes its files. */
export type SnapshotFiles = { id: string; folder: string }

export type SnapshotResult = {
  pauseMs: number // how long the guest stood still
  totalMs: number // until everything was safely on disk
  diskBytes: number
  ramBytes: number
  templateKey: string
}

export interface Sandbox {
  readonly id: string
  readonly image: string
  readonly memoryMb: number
  readonly cpus: number
  readonly pid: number | null
  /** As last seen: a system that is not ours chooses it itself. */
  readonly screen: { width: number; height: number }
  /** false: commands, files and ports throw 'unsupported' in it. Left out, they work. */
  readonly canExec?: boolean
  readonly state: MachineState
  /** Called once when the machine is gone, whoever ended it. */
  onDeath(listener: (state: MachineState & { kind: 'dead' }) => void): void
  /** Called when it stands still although nobody asked for that; its state says why. */
  onHeld?(listener: () => void): void

  exec(command: string, options?: ExecOptions): Promise<ExecResult>
  /** Runs a program without a shell in between: each argument arrives as it is. */
  execFile(argv: string[], options?: ExecOptions): Promise<ExecResult>
  readFile(path: string, limitBytes?: number): Promise<Buffer>
  writeFile(path: string, content: Buffer): Promise<void>

  /** The screen as it is now, at native resolution. */
  capture(): Promise<RawFrame>
  /**
   * Events in order, as a keyboard and a mouse would make them. Returns when the machine has taken them. Button events
   * that follow each other happen at once, as the clicks of a double click should.
   */
  input(events: InputEvent[]): Promise<void>
  /** Until its display has dealt with all of them, so that what goes by another road comes after. Left out: nobody knows. */
  inputDone?(): Promise<void>

  pause(): Promise<void>
  resume(): Promise<void>
  /** RAM, devices and disk into `into`; the machine runs on. `into` is an empty folder. */
  snapshot(into: SnapshotFiles): Promise<SnapshotResult>
  /** What it takes of the host. Left out where the driver cannot say. */
  usage?(): Promise<Omit<MachineUse, 'machineId'>>
  /** Ends it and removes everything it owned. Safe to call again. */
  destroy(): Promise<void>

  /**
   * A port on the guest's own loopback whose connections arrive here. It stays when the connection to the guest is made
   * anew; a restored or forked machine has none. Drivers without `exec` throw 'unsupported'.
   */
  openGuestPort(port: number, onConnection: (connection: Duplex) => void): Promise<GuestPort>

  /** Sees all that the guest tries to reach, whichever program does. Left out by drivers that cannot. */
  watchNetwork?(): Promise<NetworkWatch>

  /** The byte stream of a VNC server, for the live view. */
  openVnc(): Promise<Duplex>

  /** A login shell on a terminal of its own, for a person. Left out by drivers that have none. */
  openTerminal?(size: TerminalSize): Promise<Terminal>
}

/** `stream` carries the terminal's bytes and closes when the shell ends; destroying it ends the shell. */
export type Terminal = { stream: Duplex; resize(size: TerminalSize): void }

/** `wanted`: since it began, each once. To be closed once. */
export type NetworkWatch = { wanted(): Promise<Wanted[]>; close(): Promise<void> }

export type GuestPort = { close(): Promise<void> }

export type ExecOptions = { timeoutMs?: number; maxOutputBytes?: number; stdin?: string | Buffer; signal?: AbortSignal }

/** Packed RGB, three bytes a pixel, rows from the top. */
export type RawFrame = { width: number; height: number; rgb: Buffer }

/** `code` is a Linux/QEMU key name (qcode): "a", "ctrl", "ret", "shift". */
export type InputEvent =
  | { kind: 'key'; code: string; down: boolean }
  | { kind: 'button'; button: Button; down: boolean }
  | { kind: 'move'; to: Point }
  | { kind: 'wheel'; direction: 'up' | 'down' | 'left' | 'right' }
