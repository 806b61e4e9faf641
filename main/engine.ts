import type { Duplex, Writable } from 'node:stream'
import type { EngineEvent, Input, MethodName, Output } from './contract/rpc.ts'
import type { TerminalSize } from './contract/terminal.ts'
import type { ExportFormat } from './contract/trace.ts'

/** A finished export, to be fetched. */
export type Exported = { name: string; mediaType: string; bytes: number; file: string }

export type Download = {
  name: string
  mediaType: string
  writeTo(stream: Writable, signal: AbortSignal): Promise<void>
}

/** A shell in the guest: its bytes both ways; the stream closes with it. */
export type Terminal = { stream: Duplex; resize(size: TerminalSize): void }

/**
 * What the doors (RPC, HTTP, MCP, shells) may ask of the engine. The orchestrator implements it; `call` has already
 * parsed its input against the contract.
 */
export interface Engine {
  call<M extends MethodName>(method: M, input: Input<M>): Promise<Output<M>>
  onEvent(listener: (event: EngineEvent) => void): () => void
  /** The PNG of a stored frame, or null. */
  framePng(hash: string): Promise<Buffer | null>
  /** A trace as a download: what the file is called, and its bytes into a stream. Throws before the first byte where it can. */
  download(taskId: string, format: ExportFormat): Download
  /** What an export left to be fetched. Throws while it is not done. */
  exported(exportId: string): Exported
  /** The live view of a machine. */
  openVnc(machineId: string): Promise<Duplex>
  openTerminal(machineId: string, size: TerminalSize): Promise<Terminal>
  /** A file of the guest, under a name that is safe on this host. */
  guestFile(machineId: string, path: string): Promise<{ name: string; content: Buffer }>
  /** Work that keeps the engine alive: running tasks and machines. */
  busy(): boolean
  close(): Promise<void>
}
