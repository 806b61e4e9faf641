import type { Duplex, Writable } from 'node:stream'
import type { EngineEvent, Input, MethodName, Output } from './contract/rpc.ts'
import type { ExportFormat } from './contract/trace.ts'

export type Download = {
  name: string
  mediaType: string
  writeTo(stream: Writable, signal: AbortSignal): Promise<void>
}

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
  /** The live view of a machine. */
  openVnc(machineId: string): Promise<Duplex>
  /** Work that keeps the engine alive: running tasks and machines. */
  busy(): boolean
  close(): Promise<void>
}
