import type { RamSource } from '../argv.ts'
import type { FileRecord } from '../integrity.ts'
import type { QemuProcess } from '../process.ts'

/**
 * How the memory and devices of a machine are kept and brought back. The disk is not its business.
 *
 * Guaranteed: what `load` starts is the machine as it stood when `save` was called, at any depth of snapshots.
 * Not guaranteed: that it loads under another QEMU, firmware, CPU or command line (templates are keyed by these);
 * that network connections live on; that the guest's clock or random numbers are fresh (set after the start).
 */
export interface RamMechanism {
  readonly name: 'dirty-pages' | 'mapped-ram'
  /** Gets ready ahead of the first snapshot. Safe to call again. */
  warmUp(): void
  /** What QEMU gets as memory. */
  source(base: RamBase): Promise<RamSource>
  /** Fills a machine that has not run yet, from a snapshot's folder or (null) from the base itself. */
  load(qemu: QemuProcess, base: RamBase, snapshot: string | null): Promise<void>
  /** The guest stands still when this is called and may run on when it resolves; `finish` puts the rest on disk. */
  save(
    qemu: QemuProcess,
    base: RamBase,
    into: string,
    as: 'template' | 'snapshot',
  ): Promise<{ finish(): Promise<SavedRam> }>
  /** Makes a cold snapshot smaller: new files by name, and null for those they replace. */
  compress(snapshot: string): Promise<Record<string, FileRecord | null>>
  close(): Promise<void>
}

/** What a machine's memory is a copy of: a template, or the blank memory of one that was booted. */
export type RamBase = { folder: string; blank: boolean; ramBytes: number }

/** Files written, by name in the folder, with what integrity checks need. */
export type SavedRam = { bytes: number; files: Record<string, FileRecord> }
