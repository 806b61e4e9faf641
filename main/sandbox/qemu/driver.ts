import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { GuestImage } from '../../../vm/guest-image.ts'
import type { QemuInstall } from '../../../vm/qemu-install.ts'
import { type Environment, Sha256 } from '../../contract/environment.ts'
import { GodHandError } from '../../contract/errors.ts'
import type { Capabilities } from '../../contract/machine.ts'
import type { OnProgress } from '../../contract/progress.ts'
import type { DoctorCheck } from '../../contract/rpc.ts'
import type { Paths } from '../../paths.ts'
import { machineSizeFor } from '../machine-size.ts'
import type { SandboxDriver, SandboxSpec, SnapshotFiles } from '../sandbox.ts'
import { type AcceleratorFinding, findAccelerator } from './accelerator.ts'
import { examineForeign } from './adopt-snapshot.ts'
import type { MachineShape } from './argv.ts'
import { type FileRecord, Integrity } from './integrity.ts'
import { launchMachine, type MachinePlan } from './launch.ts'
import type { QemuSandbox } from './machine.ts'
import { removeOrphans } from './orphans.ts'
import { MachinePool, type PoolOptions } from './pool.ts'
import { DirtyPages } from './ram/dirty-pages.ts'
import { MappedRam } from './ram/mapped-ram.ts'
import type { RamBase, RamMechanism } from './ram/mechanism.ts'
import { readSnapshotRecord, replaceSnapshotRecord, SNAPSHOT_DISK, type SnapshotRecord } from './snapshot-record.ts'
import { ensureSshKey, type SshKey } from './ssh-key.ts'
import { readTemplate, TEMPLATE_DISK, templateKey } from './template.ts'
import { makeTemplate } from './template-maker.ts'

export type QemuDriverOptions = {
  paths: Paths
  qemu: QemuInstall
  /** The built image of that name. Throws GodHandError when there is none. */
  findImage: (name: string) => Promise<GuestImage>
  mechanism?: RamMechanism['name']
  /** Of machines nobody asked to be of another size; left out: as fits this host. */
  size?: () => { memoryMb: number; cpus: number }
  /** Machines of the usual kind that stand ready. None unless given. */
  pool?: PoolOptions
}

export const SCREEN = { width: 1280, height: 800 }

/** Machines by QEMU: resumed clones of a pre-booted template. */
export class QemuDriver implements SandboxDriver {
  readonly name = 'qemu'
  readonly #options: QemuDriverOptions
  readonly #mechanism: RamMechanism
  /** For systems that are not ours: their display keeps memory of its own, which only a whole migration saves. */
  readonly #portable = new MappedRam()
  readonly #integrity = new Integrity()
  readonly #live = new Set<QemuSandbox>()
  readonly #preparing = new Map<string, Promise<string>>()
  readonly #pool: MachinePool
  #usualImage: string | null = null
  #finding: Promise<AcceleratorFinding> | null = null
  #sshKey: Promise<SshKey> | null = null

  constructor(options: QemuDriverOptions) {
    this.#options = options
    const mechanism = options.mechanism ?? (process.platform === 'linux' ? 'dirty-pages' : 'mapped-ram')
    this.#pool = new MachinePool(options.pool ?? { size: 0, room: () => false }, (id) => this.#makeReady(id))
    this.#mechanism = mechanism === 'dirty-pages' ? new DirtyPages() : this.#portable
  }

  async capabilities(): Promise<Capabilities> {
    const accelerator = await this.accelerator().then(
      (finding) => finding.accelerator,
      () => null, // not known before there is an image to boot; the doctor says why
    )
    const ram = accelerator !== 'whpx' // it registers a migration blocker in every release so far
    return {
      driver: this.name,
      accelerator,
      exec: true,
      ramSnapshot: ram,
      diskSnapshot: true,
      fork: ram,
      pause: true,
      liveView: true,
      unproven: accelerator === 'tcg' && process.platform === 'linux' ? [] : [`${accelerator} on ${process.platform}`],
    }
  }

  async examine(): Promise<DoctorCheck[]> {
    const { qemu } = this.#options
    const looks: [string, () => Promise<Omit<DoctorCheck, 'name'>>][] = [
      [
        'accelerator',
        async () => {
          const { accelerator, reason } = await this.accelerator()
          return {
            status: accelerator === 'tcg' ? 'warning' : 'ok',
            summary: `${accelerator}: ${reason}`,
            details: { accelerator },
          }
        },
      ],
      [
        'qemu',
        async () => ({
          status: 'ok',
          summary: `QEMU ${qemu.version} (${qemu.origin === 'bundle' ? 'GodHand’s own' : 'the system’s'})`,
          details: { version: qemu.version, program: qemu.system },
        }),
      ],
      [
        'image',
        async () => {
          const { name, key, manifest } = await this.#options.findImage('desktop')
          const megabytes = Math.round(manifest.outputs.disk.bytes / 1024 ** 2)
          return { status: 'ok', summary: `“${name}” ${key.slice(0, 12)}, ${megabytes} MB`, details: { key } }
        },
      ],
    ]
    return Promise.all(
      looks.map(async ([name, look]): Promise<DoctorCheck> => {
        try {
          return { name, ...(await look()) }
        } catch (thrown) {
          const { message, hint } = GodHandError.from(thrown)
          return { name, status: 'problem', summary: message, ...(hint ? { hint } : {}) }
        }
      }),
    )
  }

  async environment(image: string): Promise<Environment> {
    const { qemu } = this.#options
    const found = await this.#options.findImage(image)
    const shape = await this.#shape(image, machineSizeFor())
    return {
      imageHash: found.manifest.outputs.disk.sha256,
      templateKey: await this.#templateKey(found, shape),
      qemuVersion: qemu.version,
      qemuHash: Sha256.safeParse(qemu.key).data ?? null,
      driver: this.name,
      accelerator: shape.accelerator,
      screen: shape.screen,
    }
  }

  async verifySnapshot({ folder }: SnapshotFiles): Promise<void> {
    await this.#checkChain(await readSnapshotRecord(folder))
  }

  async adoptSnapshot(files: SnapshotFiles, known: ReadonlySet<string>): Promise<void> {
    const record = await examineForeign(files, known)
    await this.#integrity.check(files.folder, record.files)
  }

  async compressSnapshot({ folder }: SnapshotFiles): Promise<number> {
    const record = await readSnapshotRecord(folder)
    const mechanism = record.mechanism === this.#mechanism.name ? this.#mechanism : this.#portable
    const changes = Object.entries<FileRecord | null>(await mechanism.compress(folder))
    if (changes.length === 0) return memoryBytes(record.files)
    const replaced = changes.filter(([, file]) => file === null).map(([name]) => name)
    const kept = Object.entries(record.files).filter(([name]) => !replaced.includes(name))
    const added = changes.flatMap(([name, file]) => (file ? [[name, file] as const] : []))
    const files = Object.fromEntries([...kept, ...added])
    await replaceSnapshotRecord(folder, { ...record, files })
    for (const name of replaced) await fs.rm(path.join(folder, name), { force: true }) // only now does nobody need it
    return memoryBytes(files)
  }

  accelerator(image = 'desktop'): Promise<AcceleratorFinding> {
    this.#finding ??= this.#kernelToTry(image)
      .then((kernel) => findAccelerator(this.#options.qemu, kernel, this.#options.paths.accelerator))
      .catch((error: unknown) => {
        this.#finding = null
        throw error
      })
    return this.#finding
  }

  /** The image's own, or that of one of ours: a system of somebody else's tells nobody how far it came. */
  async #kernelToTry(image: string): Promise<string> {
    const { start } = await this.#options.findImage(image)
    if (start.kind === 'kernel') return start.kernel
    const ours = await this.#options.findImage('desktop').catch(() => this.#options.findImage('minimal'))
    if (ours.start.kind === 'kernel') return ours.start.kernel
    throw new GodHandError('missing_prerequisite', 'There is no kernel here to try the accelerator with.')
  }

  async prepare(image: string, onProgress: OnProgress, signal?: AbortSignal): Promise<void> {
    this.#mechanism.warmUp()
    await this.#ensureTemplate(image, this.#usualSize(), onProgress, signal)
    this.#usualImage ??= image
    this.#pool.fillLater()
  }

  /** Machines that stand ready to be taken into use. */
  get readyCount(): number {
    return this.#pool.readyCount
  }

  async #makeReady(id: string): Promise<{ key: string; sandbox: QemuSandbox }> {
    const plan = await this.#plan({ id, image: this.#usualImage ?? 'desktop' })
    return { key: plan.templateKey, sandbox: this.#watch(await launchMachine({ ...plan, held: true })) }
  }

  async create(spec: SandboxSpec, signal?: AbortSignal): Promise<QemuSandbox> {
    const plan = await this.#plan(spec, signal)
    const isFresh = plan.load?.snapshot === null
    const ready = isFresh ? await this.#pool.take(plan.templateKey, spec.id).catch(() => null) : null
    this.#pool.fillLater()
    return ready ?? this.#watch(await launchMachine(plan, signal))
  }

  #watch(sandbox: QemuSandbox): QemuSandbox {
    this.#live.add(sandbox)
    sandbox.onDeath(() => this.#live.delete(sandbox))
    return sandbox
  }

  removeOrphans(): Promise<string[]> {
    return removeOrphans(this.#options.paths)
  }

  async close(): Promise<void> {
    await this.#pool.close()
    await Promise.all([...this.#live].map((sandbox) => sandbox.destroy()))
    await this.#mechanism.close()
    await this.#integrity.close()
  }

  async #plan(spec: SandboxSpec, signal?: AbortSignal): Promise<MachinePlan> {
    const { paths } = this.#options
    const snapshot = spec.fromSnapshot
    const record = snapshot ? await readSnapshotRecord(snapshot.folder) : null
    const host = this.#usualSize()
    const size = record ?? { memoryMb: spec.memoryMb ?? host.memoryMb, cpus: spec.cpus ?? host.cpus }
    const image = record?.image ?? spec.image
    const shape = await this.#shape(image, size)
    const found = await this.#options.findImage(image)
    const key = await this.#templateKey(found, shape)
    if (record && !record.blank && record.templateKey !== key)
      throw new GodHandError('unsupported', 'This snapshot was made with another QEMU, image or machine size.', {
        hint: 'Its trace can still be replayed on a fresh machine.',
        details: { made: record.templateKey, now: key },
      })
    const blank = record ? record.blank : (spec.boot ?? false)
    if (!blank) await this.#ensureTemplate(image, size, spec.onProgress ?? (() => {}), signal)
    const base: RamBase = {
      folder: blank ? path.join(paths.templates, `blank-${size.memoryMb}`) : path.join(paths.templates, key),
      blank,
      ramBytes: size.memoryMb * 1024 * 1024,
    }
    const chain = record?.chain ?? []
    if (record) await this.#checkChain(record)
    const snapshotDisks = chain.map((id) => path.join(paths.snapshots, id, SNAPSHOT_DISK))
    return {
      id: spec.id,
      image,
      qemu: this.#options.qemu,
      shape,
      base,
      templateKey: key,
      chain,
      layers: [found.disk, ...(blank ? [] : [path.join(base.folder, TEMPLATE_DISK)]), ...snapshotDisks],
      load: snapshot ? { snapshot: snapshot.folder } : blank ? null : { snapshot: null },
      mechanism: this.#mechanismFor(found),
      folder: path.join(paths.machines, spec.id),
      sockets: paths.sockets,
      ssh: await this.#ssh(found),
      integrity: this.#integrity,
    }
  }

  /** A snapshot stands on the disks of those before it: damage in any of them is damage in this one. */
  async #checkChain(record: SnapshotRecord): Promise<void> {
    for (const id of record.chain) {
      const folder = path.join(this.#options.paths.snapshots, id)
      const { files } = id === record.id ? record : await readSnapshotRecord(folder)
      const disk = files[SNAPSHOT_DISK]
      await this.#integrity.check(folder, id === record.id || !disk ? files : { [SNAPSHOT_DISK]: disk })
    }
  }

  async #shape(image: string, size: { memoryMb: number; cpus: number }): Promise<MachineShape> {
    const found = await this.#options.findImage(image)
    const { start } = found
    return {
      accelerator: (await this.accelerator(image)).accelerator,
      memoryMb: size.memoryMb,
      cpus: size.cpus,
      start:
        start.kind === 'kernel'
          ? { ...start, arguments: start.commandLine, authorizedKey: (await this.#key()).publicKeyFile }
          : start,
      screen: SCREEN,
    }
  }

  #mechanismFor({ start }: GuestImage): RamMechanism {
    return start.kind === 'kernel' ? this.#mechanism : this.#portable
  }

  async #ssh({ start }: GuestImage): Promise<MachinePlan['ssh']> {
    const user = start.kind === 'kernel' ? 'user' : start.sshUser
    return user === null ? null : { key: await this.#key(), user }
  }

  async #templateKey(image: GuestImage, shape: MachineShape): Promise<string> {
    return templateKey(shape, {
      image,
      qemu: this.#options.qemu,
      mechanism: this.#mechanismFor(image).name,
      publicKey: (await this.#key()).publicKey,
      hostCpu: os.cpus()[0]?.model ?? '',
    })
  }

  #usualSize() {
    return this.#options.size?.() ?? machineSizeFor()
  }

  /** Whoever asks first makes it; everybody else waits for the same one. */
  async #ensureTemplate(
    image: string,
    size: { memoryMb: number; cpus: number },
    onProgress: OnProgress,
    signal?: AbortSignal,
  ): Promise<string> {
    const found = await this.#options.findImage(image)
    const shape = await this.#shape(image, size)
    const key = await this.#templateKey(found, shape)
    if (await readTemplate(path.join(this.#options.paths.templates, key), key, this.#integrity)) return key
    let making = this.#preparing.get(key)
    if (!making) {
      making = makeTemplate({
        key,
        image: found,
        shape,
        qemu: this.#options.qemu,
        mechanism: this.#mechanismFor(found),
        paths: this.#options.paths,
        ssh: await this.#ssh(found),
        integrity: this.#integrity,
        onProgress,
        signal,
      }).finally(() => this.#preparing.delete(key))
      this.#preparing.set(key, making)
    }
    return making
  }

  #key(): Promise<SshKey> {
    this.#sshKey ??= fs
      .mkdir(this.#options.paths.ssh, { recursive: true, mode: 0o700 })
      .then(() => ensureSshKey(this.#options.paths.ssh))
    return this.#sshKey
  }
}

function memoryBytes(files: Record<string, FileRecord>): number {
  return Object.entries(files).reduce((sum, [name, { bytes }]) => sum + (name === SNAPSHOT_DISK ? 0 : bytes), 0)
}
