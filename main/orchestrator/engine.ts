import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }
import { examples } from '../agent/examples/all.ts'
import { adviserFor } from '../agent/planners/advisers.ts'
import { plannerFor } from '../agent/planners/choose.ts'
import { type Sealer, SecretStore } from '../agent/secret-store.ts'
import { Secrets } from '../agent/secrets.ts'
import { GodHandError } from '../contract/errors.ts'
import type { Input, MethodName, Output, Parsed } from '../contract/rpc.ts'
import { methods } from '../contract/rpc.ts'
import type { Engine } from '../engine.ts'
import type { Log } from '../log.ts'
import type { Paths } from '../paths.ts'
import { machineSizeFor } from '../sandbox/machine-size.ts'
import type { SandboxDriver } from '../sandbox/sandbox.ts'
import { fetchFile, sendFile } from '../sandbox/transfer.ts'
import { exportName, exportTrace } from '../trace/export/export-trace.ts'
import { writers } from '../trace/export/writers.ts'
import { openFrameStore } from '../trace/frame-store.ts'
import type { MachineHome } from '../trace/import/machine-files.ts'
import { lineageOf } from '../trace/lineage.ts'
import { describeRecovery } from '../trace/recovery.ts'
import { openStore, type Store } from '../trace/store.ts'
import { Attachments } from './attachments.ts'
import { Benchmarks } from './benchmarks.ts'
import { onItsBase } from './boot-step.ts'
import { BranchFiles } from './branch-files.ts'
import { compareSnapshots } from './compare.ts'
import { DayBudgetKeeper } from './day-budget.ts'
import { openDefaultDriver } from './default-driver.ts'
import { examine } from './doctor.ts'
import { Events } from './events.ts'
import { Exports } from './exports.ts'
import { Eyes } from './eyes.ts'
import { readClipboard, writeClipboard } from './guest-clipboard.ts'
import { listFolder, readGuestFile } from './guest-files.ts'
import type { Handlers } from './handlers.ts'
import { ImageWorks } from './image-works.ts'
import { ImageKeeper, listImages, removeImage } from './images.ts'
import { JudgeRulesKeeper } from './judge-rules.ts'
import { Lifecycle } from './lifecycle.ts'
import { readLog } from './log-reader.ts'
import { Machines } from './machines.ts'
import { ModelDesk } from './model-desk.ts'
import { RoomKeeper } from './readiness.ts'
import { ScreenIndex } from './screen-index.ts'
import { SettingsKeeper } from './settings.ts'
import { SnapshotKeeper } from './snapshot-keeper.ts'
import { findSnapshots, isSnapshotName, moveSnapshots } from './snapshot-place.ts'
import { writeSupportBundle } from './support-bundle.ts'
import { Tasks } from './tasks.ts'
import { traceHandlers } from './trace-handlers.ts'
import { TraceRetention } from './trace-retention.ts'

export type EngineOptions = {
  paths: Paths
  log: Log
  driver?: SandboxDriver
  sealer?: Sealer | undefined
  readScreens?: boolean
}

/** Opens the store, ends what an earlier engine left behind, and starts getting a desktop ready. */
export async function openEngine({ paths, log, driver: given, sealer, readScreens }: EngineOptions): Promise<Engine> {
  await fs.mkdir(paths.home, { recursive: true, mode: 0o700 })
  // Traces are pictures of somebody's work. Whoever made the folder first may have made it for all to read.
  await fs.chmod(paths.home, 0o700)
  const store = openStore(paths.database)
  try {
    const missing = await findSnapshots(store, paths)
    const settings = new SettingsKeeper(store)
    const driver = given ?? (await openDefaultDriver(paths, () => settings.machineSize))
    const notices = [...missing, ...(await recover(store, driver, paths))]
    for (const notice of notices) log.warn(notice)
    const events = new Events()
    const frames = await openFrameStore(paths.frames)
    const imageWork = new ImageWorks(events)
    const machines = new Machines({ paths, store, frames, driver, events, imageWork, size: () => settings.machineSize })
    const closing = new AbortController()
    const images = new ImageKeeper({ paths, driver, work: imageWork, signal: closing.signal })
    const keys = new SecretStore(paths.secrets, sealer ?? null)
    let secrets = new Secrets(await keys.all('secret'))
    const readSecrets = async () => {
      secrets = new Secrets(await keys.all('secret'))
      return {}
    }
    const dayBudget = new DayBudgetKeeper(store)
    const models = new ModelDesk({ keys, calibrations: paths.calibrations, events, signal: closing.signal })
    const attachments = new Attachments(paths.attached)
    await attachments.sweep()
    const judgeRules = new JudgeRulesKeeper(store)
    const branchFiles = new BranchFiles({ paths, store, machines })
    const tasks = new Tasks({
      judgeRules,
      branchFiles,
      day: dayBudget.day,
      store,
      frames,
      machines,
      events,
      log,
      concurrency: 2,
      attachments,
      secrets: () => secrets,
      planFor: (request, saved) =>
        plannerFor(request, {
          keys,
          calibrations: models.calibrations,
          calibrate: (model, how) => models.pointing(model, ...how),
          secretNames: secrets.names,
          store,
          frames,
          saved,
        }),
      adviserFor: (choice) => adviserFor(choice, { keys, frames }),
    })
    const eyes = new Eyes({ machines, frames, store })
    const snapshots = new SnapshotKeeper({ paths, store, driver, machines })
    const lifecycle = new Lifecycle({ machines, store, log, snapshots })
    const exports = new Exports({ paths, store, frames, events })
    const retention = new TraceRetention(store, frames, log)
    const busy = () => tasks.busy || machines.awakeCount > 0
    const screens = readScreens ? new ScreenIndex({ store, frames, log, busy }) : null
    const room = new RoomKeeper(driver, events)
    const benchmarks = new Benchmarks({ paths, events })
    room.prepare('desktop', closing.signal)
    const startedAt = new Date().toISOString()
    let closed: Promise<void> | null = null

    const settingsInForce = () => ({
      settings: settings.now,
      usualMachine: machineSizeFor(),
      snapshotFolder: paths.snapshots,
    })

    const handlers: Handlers = {
      'engine.info': async () => ({
        version: packageJson.version,
        pid: process.pid,
        home: paths.home,
        startedAt,
        readiness: room.state,
        capabilities: await driver.capabilities(),
        notices,
      }),
      'engine.doctor': () => examine({ paths, driver, room }),
      'engine.prepare': ({ build }) => {
        room.prepare('desktop', closing.signal, async (onProgress) => {
          if (build) await images.build({ variant: 'desktop' }, onProgress)
        })
        return {}
      },
      'engine.logs': (query) => readLog(paths.engineLog, query),
      'support.bundle': async ({ file }) =>
        writeSupportBundle(file, {
          paths,
          about: { ...about(), readiness: room.state, capabilities: await driver.capabilities(), startedAt },
          checks: await examine({ paths, driver, room }),
          tasks: tasks.list(50),
          secrets: [...(await keys.all('secret')), ...(await keys.all('api_key'))].map(([, value]) => value),
        }),
      'engine.reset': () => {
        throw new GodHandError('unsupported', 'The engine is reset by whoever started it.')
      },
      'engine.shutdown': () => {
        throw new GodHandError('unsupported', 'The engine is closed by whoever started it.')
      },
      'example.list': () => [...examples],
      'file.attach': ({ file, name }) => attachments.add(file, name ?? file),
      'task.run': (request) => tasks.start(settings.appliedTo(onItsBase(store, request))),
      'task.list': ({ limit }) => tasks.list(limit),
      'task.get': ({ taskId, from, limit }) => ({
        task: tasks.get(taskId),
        steps: store.steps.list(taskId, { from, ...(limit !== undefined && { limit }) }),
      }),
      'task.stop': ({ taskId }) => tasks.stop(taskId),
      'task.pause': ({ taskId }) => tasks.pause(taskId),
      'task.resume': ({ taskId }) => tasks.resume(taskId),
      'task.guide': ({ taskId, text }) => tasks.guide(taskId, text),
      'task.answer': ({ taskId, text }) => tasks.answer(taskId, text),
      'task.approve': ({ taskId, answer }) => tasks.approve(taskId, answer),
      'task.takeOver': ({ taskId }) => tasks.takeOver(taskId),
      'task.handBack': ({ taskId, text }) => tasks.handBack(taskId, text),
      'task.declare': ({ taskId, ...declaration }) => tasks.declare(taskId, declaration),
      'task.checkpoint': ({ taskId, label }) => tasks.checkpoint(taskId, label ?? null),
      'task.rollback': ({ taskId, to }) => tasks.rollback(taskId, to),
      'task.resumeInterrupted': ({ taskId }) => tasks.resumeInterrupted(taskId),
      'lineage.get': ({ taskId }) => lineageOf(store, taskId),
      'branch.fetch': (wish) => branchFiles.fetch(wish),
      'judge.get': () => judgeRules.get(),
      'judge.set': (rules) => judgeRules.set(rules),
      'settings.get': () => settingsInForce(),
      'settings.set': (wish) => {
        const resized = JSON.stringify(wish.machine) !== JSON.stringify(settings.now.machine)
        settings.set(wish)
        if (resized) room.prepare('desktop', closing.signal)
        return settingsInForce()
      },
      'budget.day.get': () => dayBudget.get(),
      'budget.day.set': (limits) => dayBudget.set(limits),
      'secret.list': async () => ({ names: await keys.list('secret'), warning: keys.warning }),
      'secret.set': ({ name, value }) => keys.set('secret', name, value).then(readSecrets),
      'secret.remove': ({ name }) => keys.remove('secret', name).then(readSecrets),
      'key.list': async () => ({ names: await keys.list('api_key'), warning: keys.warning }),
      'key.set': ({ name, value }) => keys.set('api_key', name, value).then(() => ({})),
      'key.remove': ({ name }) => keys.remove('api_key', name).then(() => ({})),
      'model.servers': () => models.servers(),
      'model.list': (service) => models.list(service),
      'model.test': (choice) => models.test(choice),
      'model.calibrate': (choice) => models.calibrate(choice),
      'model.calibrations': () => models.calibrations.all(),
      ...traceHandlers({
        store,
        frames,
        machines,
        tasks,
        snapshots,
        exports,
        retention,
        log,
        closing: closing.signal,
        machineHome: machineHome(driver, paths),
        forgetBranches: (branches) => branchFiles.forget(branches),
      }),
      'vm.create': (wish) => machines.create(wish),
      'vm.list': () => machines.list(),
      'vm.usage': () => machines.usage(),
      'vm.exec': ({ machineId, command, timeoutSeconds }) =>
        machines.use(machineId, (sandbox) => sandbox.exec(command, { timeoutMs: timeoutSeconds * 1000 })),
      'vm.screenshot': ({ machineId }) => machines.screenshot(machineId),
      'vm.read': ({ machineId, region }) => eyes.read(machineId, region),
      'vm.find': ({ machineId, text, match, region }) => eyes.find(machineId, { text, match }, region),
      'vm.marks': ({ machineId }) => eyes.marks(machineId),
      'vm.zoom': ({ machineId, region }) => eyes.zoom(machineId, region),
      'vm.check': ({ machineId, assertion, timeoutSeconds }) => eyes.check(machineId, assertion, timeoutSeconds * 1000),
      'vm.change': ({ machineId, since, timeoutSeconds }) => eyes.change(machineId, since, timeoutSeconds * 1000),
      'vm.diff': ({ machineId, since }) => eyes.since(machineId, since),
      'frame.compare': ({ before, after }) => eyes.compare(before, after),
      'vm.act': ({ machineId, action, settle }) =>
        machines.use(machineId, () => tasks.hands.act(machineId, action, settle)),
      'vm.files': ({ machineId, path }) => machines.use(machineId, (sandbox) => listFolder(sandbox, path)),
      'vm.clipboard.read': ({ machineId }) => machines.use(machineId, readClipboard),
      'vm.clipboard.write': async ({ machineId, text }) => {
        await machines.use(machineId, (sandbox) => writeClipboard(sandbox, text))
        return {}
      },
      'vm.pause': ({ machineId }) => machines.setPaused(machineId, true),
      'vm.resume': ({ machineId }) => machines.setPaused(machineId, false),
      'vm.send': ({ machineId, file, guestPath, limitBytes }) =>
        machines.use(machineId, (sandbox) => sendFile(sandbox, file, guestPath, limitBytes)),
      'vm.fetch': ({ machineId, guestPath, folder, limitBytes }) =>
        machines.use(machineId, (sandbox) => fetchFile(sandbox, guestPath, folder, limitBytes)),
      'vm.suspend': ({ machineId }) => machines.suspendNow(machineId),
      'vm.snapshot': ({ machineId, label }) => machines.snapshot(machineId, label ?? null),
      'vm.fork': ({ machineId, count }) => machines.fork(machineId, count),
      'vm.restore': ({ snapshotId }) =>
        machines.create({
          image: machines.snapshotOf(snapshotId).image,
          fromSnapshot: snapshotId,
          boot: false,
          allow: [],
        }),
      'vm.destroy': async ({ machineId }) => {
        await machines.destroy(machineId)
        return {}
      },
      'image.list': () => listImages(paths),
      'image.build': (wish) => images.build(wish),
      'image.import': (wish) => images.import(wish),
      'image.work': () => imageWork.list(),
      'image.remove': async ({ imageId }) => {
        const using = new Set([...machines.list(), ...store.snapshots.list()].map(({ image }) => image))
        return { freedBytes: await removeImage(paths, imageId, using) }
      },
      'snapshot.list': () => store.snapshots.list(),
      'snapshot.usage': async () => ({ budgetBytes: snapshots.budgetBytes, snapshots: await snapshots.usage() }),
      'snapshot.label': ({ snapshotId, label }) => store.snapshots.label(snapshotId, label),
      'snapshot.pin': ({ snapshotId, pinned }) => store.snapshots.pin(snapshotId, pinned),
      'snapshot.remove': async ({ snapshotId }) => ({ freedBytes: await snapshots.remove(snapshotId) }),
      'snapshot.compare': ({ from, to }) => compareSnapshots(machines, from, to),
      'snapshot.verify': ({ snapshotId }) => snapshots.verify(snapshotId).then(() => ({})),
      'snapshot.budget': ({ bytes }) => {
        snapshots.setBudget(bytes)
        return {}
      },
      'snapshot.collect': (wish) => snapshots.collect(wish),
      'snapshot.move': async ({ folder }) => {
        const inUse = () => (machines.awakeCount > 0 ? 'machines live on them' : null)
        return { folder: await moveSnapshots(store, paths, folder, inUse) }
      },
      'snapshot.compress': async ({ olderThanMinutes }) => ({
        savedBytes: await snapshots.compressCold(olderThanMinutes * 60_000),
      }),
      'bench.list': () => benchmarks.list(),
      'bench.start': ({ kind, quick }) => benchmarks.start(kind, quick),
      'bench.cancel': ({ runId }) => benchmarks.cancel(runId),
      'bench.remove': ({ runId }) => {
        benchmarks.remove(runId)
        return {}
      },
    }

    return {
      async call<M extends MethodName>(method: M, input: Input<M>): Promise<Output<M>> {
        const handler: (input: Parsed<M>) => Promise<Output<M>> | Output<M> = handlers[method]
        return handler(methods[method].input.parse(input) as Parsed<M>)
      },
      onEvent: (listener) => events.on(listener),
      framePng: (hash) => frames.get(hash),
      download: (taskId, format) => ({
        name: exportName(tasks.get(taskId), format),
        mediaType: writers[format].mediaType,
        writeTo: (stream, signal) => exportTrace(store, frames, taskId, format, stream, { signal }),
      }),
      openVnc: async (machineId) => tasks.hands.liveView(machineId, await machines.openVnc(machineId)),
      exported: (exportId) => exports.fetch(exportId),
      openTerminal: (machineId, size) => machines.openTerminal(machineId, size),
      guestFile: (machineId, file) => machines.use(machineId, (sandbox) => readGuestFile(sandbox, file)),
      busy: () =>
        tasks.busy || benchmarks.busy || imageWork.busy || machines.awakeCount > 0 || room.state.kind === 'preparing',
      close: () => {
        closed ??= (async () => {
          closing.abort(new GodHandError('cancelled', 'GodHand is closing.'))
          const parts = [lifecycle, benchmarks, exports, retention, screens]
          await Promise.all(parts.map((part) => part?.close()))
          await tasks.close()
          await room.settled()
          await driver.close()
          store.close()
        })()
        return closed
      },
    }
  } catch (error) {
    store.close()
    throw error
  }
}

const about = () => ({
  version: packageJson.version,
  platform: `${process.platform} ${os.release()} ${process.arch}`,
  node: process.version,
  memoryMb: Math.round(os.totalmem() / 1024 ** 2),
  cpus: os.cpus().map(({ model }) => model),
})

/** What the last engine did not finish: told to the person, and put in order. */
async function recover(store: Store, driver: SandboxDriver, paths: Paths): Promise<string[]> {
  const recovery = store.recoverInterrupted()
  await driver.removeOrphans()
  const known = new Set(store.snapshots.list().map((snapshot) => snapshot.id))
  for (const name of await fs.readdir(paths.snapshots).catch(() => []))
    if (isSnapshotName(name) && !known.has(name))
      await fs.rm(path.join(paths.snapshots, name), { recursive: true, force: true })
  return describeRecovery(recovery)
}

function machineHome(driver: SandboxDriver, paths: Paths): MachineHome | undefined {
  if (!driver.adoptSnapshot) return undefined
  return {
    folder: paths.snapshots,
    adopt: async (id, folder, known) => driver.adoptSnapshot?.({ id, folder }, known),
  }
}
