import os from 'node:os'
import path from 'node:path'

/** Every name GodHand writes to disk is in this file. Data lives under one folder, moved by GODHAND_HOME. */

/** The platform's user-data folder for GodHand. */
function defaultHome(): string {
  const home = os.homedir()
  if (process.platform === 'darwin') return path.join(home, 'Library', 'Application Support', 'GodHand')
  if (process.platform === 'win32')
    return path.join(process.env.LOCALAPPDATA ?? path.join(home, 'AppData', 'Local'), 'GodHand')
  return path.join(process.env.XDG_DATA_HOME ?? path.join(home, '.local', 'share'), 'godhand')
}

export type Paths = ReturnType<typeof pathsIn>

/**
 * `home` holds what a person made: tasks, traces, snapshots. `assets` (GODHAND_ASSETS, else the same folder) holds what
 * can be made again and is keyed by content, so several homes may share it.
 */
export function pathsIn(home: string, assets: string = home) {
  const at = (...parts: string[]) => path.join(home, ...parts)
  const asset = (...parts: string[]) => path.join(assets, ...parts)
  return {
    home,
    assets,
    /** Tasks, steps, frames and snapshot lineage (SQLite, WAL beside it). */
    database: at('godhand.db'),
    /** Held by the running engine: {pid, identity, port, token, startedAt}, mode 0600; engine.json.<pid> is a passing draft. */
    engineLock: at('engine.json'),
    /** What outlives an engine so that open windows come back to the next: {key, madeAt, port}, mode 0600. */
    door: at('door.json'),
    /** Named secrets and API keys, mode 0600, where no system keychain is at hand. */
    secrets: at('secrets.json'),
    /** What the app's own window remembers: its place, and whether idle machines pause in the background. */
    window: at('window.json'),
    /** How well local models point: by model, server, format and size of the screen. */
    calibrations: at('calibrations.json'),
    logs: at('logs'),
    /** Structured logs, one line of JSON each; engine.log.old is the one before, background.log what a background engine printed. */
    engineLog: at('logs', 'engine.log'),
    /** Immutable snapshots: snapshots/<id>/{disk.qcow2,ram.delta,device.state,snapshot.json}. */
    snapshots: at('snapshots'),
    /** Live machines: machines/<id>/{disk-N.qcow2,machine.json,qemu.log,serial.log}. Gone when the machine is. */
    machines: at('machines'),
    /** Files of branches that lost, as they were named in the guest: branch-files/<branch>/<path>. */
    branchFiles: at('branch-files'),
    /** Screenshots by content: frames/<first two>/<sha256>.png; frames/tmp is cleared at start. */
    frames: at('frames'),
    /** Measurements of this computer: benchmarks/<id>/{run.json,performance.md,perf.svg}; perf-* and bench-* are where one is being made. */
    benchmarks: at('benchmarks'),
    /** Files the person attached to tasks: attached/<id>/<name>, for a week. */
    attached: at('attached'),
    /** Files made of traces, until they are fetched; gone when the engine is. */
    exports: at('exports'),
    /** Sockets have short names, because a unix socket path may not exceed ~100 characters. */
    sockets: socketFolder(home),

    /** The QEMU made from packages: bin/, lib/, share/, manifest.json. */
    qemu: asset('qemu'),
    /** Guest images: images/<variant>-<key>/{disk.qcow2,vmlinuz,initrd.img,manifest.json}. */
    images: asset('images'),
    /** Downloaded packages and other things that can be fetched again. */
    cache: asset('cache'),
    /** The key pair that opens every guest of this install: ssh/id_ed25519{,.pub}. */
    ssh: asset('ssh'),
    /** Pre-booted desktops: templates/<key>/{disk.qcow2,ram,device.state,template.json}. */
    templates: asset('templates'),
    /** What the accelerator probe found, with the reason. */
    accelerator: asset('accelerator.json'),
  }
}

/** Sockets live in the data folder where that is short enough, else in a private folder under the system's temp. */
function socketFolder(home: string): string {
  const inHome = path.join(home, 'run')
  if (inHome.length <= 60) return inHome
  const uid = process.getuid?.() ?? 0
  return path.join(os.tmpdir(), `godhand-${uid}-${hashOf(home)}`)
}

function hashOf(text: string): string {
  let hash = 0x811c9dc5
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return hash.toString(36)
}

export function homeFolder(): string {
  return path.resolve(process.env.GODHAND_HOME || defaultHome())
}

/** The paths this process works with, by its environment. */
export function currentPaths(): Paths {
  const home = homeFolder()
  return pathsIn(home, path.resolve(process.env.GODHAND_ASSETS || home))
}
