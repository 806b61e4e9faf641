import fs from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { GuestImage } from '../../../vm/guest-image.ts'
import type { QemuInstall } from '../../../vm/qemu-install.ts'
import { GodHandError } from '../../contract/errors.ts'
import type { OnProgress } from '../../contract/progress.ts'
import type { Paths } from '../../paths.ts'
import type { Sandbox } from '../sandbox.ts'
import type { MachineShape } from './argv.ts'
import type { Integrity } from './integrity.ts'
import { launchMachine, type MachinePlan } from './launch.ts'
import type { RamMechanism } from './ram/mechanism.ts'
import { screenAtRest } from './screen-at-rest.ts'
import { publishTemplate, TEMPLATE_DISK } from './template.ts'

export type TemplateOrder = {
  key: string
  image: GuestImage
  shape: MachineShape
  qemu: QemuInstall
  mechanism: RamMechanism
  paths: Paths
  ssh: MachinePlan['ssh']
  integrity: Integrity
  onProgress: OnProgress
  signal?: AbortSignal | undefined
}

const READY = 'GODHAND-READY' // the guest's own word on its serial line, once the desktop is drawn
const BOOT_LIMIT_MS = 300_000
const USUAL_BOOT_MS = 20_000
const QUIET_MS = 1_500
const SETUP = '/tmp/godhand-setup.sh'
const SETUP_LIMIT_MS = 15 * 60_000

/** Boots the image once, waits until its desktop has come to rest, and keeps it with its memory. */
export async function makeTemplate(order: TemplateOrder): Promise<string> {
  const { key, image, shape, paths, mechanism, signal } = order
  const folder = path.join(paths.templates, key)
  const making = path.join(paths.templates, `.making-${key}-${process.pid}`)
  await removeLeftovers(paths.templates)
  await fs.mkdir(making, { recursive: true, mode: 0o700 })
  const began = performance.now()
  const report = (step: string, share: number) => order.onProgress({ step, done: Math.round(share * 100), total: 100 })
  report('Starting the desktop for the first time', 0)
  const base = {
    folder: path.join(paths.templates, `blank-${shape.memoryMb}`),
    blank: true,
    ramBytes: shape.memoryMb * 1024 * 1024,
  }
  const machine = await launchMachine(
    {
      id: `template-${key}`,
      image: image.name,
      qemu: order.qemu,
      shape,
      base,
      templateKey: key,
      chain: [],
      layers: [image.disk],
      load: null,
      mechanism,
      folder: path.join(making, 'machine'),
      sockets: paths.sockets,
      ssh: order.ssh,
      integrity: order.integrity,
    },
    signal,
  )
  try {
    const onElapsed = (elapsed: number) =>
      report('Starting the desktop for the first time', Math.min(0.85, (0.85 * elapsed) / USUAL_BOOT_MS))
    if (image.start.kind === 'kernel') {
      await desktopDrawn(machine, path.join(making, 'machine', 'serial.log'), onElapsed, signal)
      await machine.exec('true', { timeoutMs: 60_000 }) // the way in over SSH works, and its programs are warm
      if (image.start.setup) {
        report('Running the set-up script', 0.86)
        await runSetup(machine, await fs.readFile(image.start.setup), signal)
      }
      report('Waiting for the desktop to come to rest', 0.88)
      await screenAtRest(machine, { quietMs: QUIET_MS, limitMs: 60_000 }, signal)
    } else {
      const quietMs = image.start.restSeconds * 1000
      await screenAtRest(machine, { quietMs, limitMs: BOOT_LIMIT_MS, onElapsed }, signal)
    }
    const bootMs = performance.now() - began
    report('Keeping the running desktop', 0.94)
    const files = await machine.freezeAsTemplate(making, TEMPLATE_DISK)
    await machine.destroy()
    await publishTemplate(
      making,
      folder,
      {
        key,
        image: image.name,
        imageKey: image.key,
        memoryMb: shape.memoryMb,
        cpus: shape.cpus,
        accelerator: shape.accelerator,
        mechanism: mechanism.name,
        qemuVersion: order.qemu.version,
        bootMs: Math.round(bootMs),
        createdAt: new Date().toISOString(),
        files,
      },
      order.integrity,
    )
    report('The desktop is ready', 1)
    return key
  } catch (error) {
    await machine.destroy()
    await fs.rm(making, { recursive: true, force: true })
    throw error
  }
}

async function desktopDrawn(
  machine: Sandbox,
  serialLog: string,
  onElapsed: (ms: number) => void,
  signal?: AbortSignal,
): Promise<void> {
  const began = performance.now()
  for (;;) {
    const said = await fs.readFile(serialLog, 'latin1').catch(() => '')
    if (said.includes(READY)) return
    signal?.throwIfAborted()
    const elapsed = performance.now() - began
    if (machine.state.kind === 'dead' || elapsed > BOOT_LIMIT_MS)
      throw new GodHandError('image_build_failed', 'The guest image did not start its desktop.', {
        hint: 'Remove the images folder in the data folder and start again to rebuild it.',
        details: { serial: said.slice(-2000), state: machine.state },
      })
    onElapsed(elapsed)
    await delay(100)
  }
}

/** A person's own steps, once, in the running desktop: what they leave is in every machine from now on. */
async function runSetup(machine: Sandbox, script: Buffer, signal?: AbortSignal): Promise<void> {
  await machine.writeFile(SETUP, script)
  const { exitCode, stdout, stderr } = await machine.exec(`cd && sh ${SETUP}`, {
    timeoutMs: SETUP_LIMIT_MS,
    ...(signal ? { signal } : {}),
  })
  await machine.exec(`rm -f ${SETUP}`)
  if (exitCode !== 0)
    throw new GodHandError('image_build_failed', `The set-up script ended with ${exitCode}.`, {
      hint: 'Mend setup.sh and build the image again. The details hold what it said last.',
      details: { output: `${stdout}\n${stderr}`.slice(-4000) },
    })
}

/** What a killed engine left half-made. A folder whose maker lives is somebody else's work in progress. */
async function removeLeftovers(templates: string): Promise<void> {
  for (const name of await fs.readdir(templates).catch(() => [])) {
    const maker = /^\.making-\w+-(\d+)$/.exec(name)?.[1]
    if (maker && !(await isAlive(Number(maker))))
      await fs.rm(path.join(templates, name), { recursive: true, force: true })
  }
}

async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
