import fs from 'node:fs/promises'
import path from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }
import { plannerFor } from '../agent/planners/choose.ts'
import { SecretStore } from '../agent/secret-store.ts'
import { Secrets } from '../agent/secrets.ts'
import { GodHandError } from '../contract/errors.ts'
import type { Input, MethodName, Output, Parsed } from '../contract/rpc.ts'
import { methods } from '../contract/rpc.ts'
import type { Engine } from '../engine.ts'
import type { Log } from '../log.ts'
import type { Paths } from '../paths.ts'
import type { SandboxDriver } from '../sandbox/sandbox.ts'
import { deleteTrace } from '../trace/delete-trace.ts'
import { exportName, exportTrace } from '../trace/export/export-trace.ts'
import { writers } from '../trace/export/writers.ts'
import { openFrameStore } from '../trace/frame-store.ts'
import { importBundle } from '../trace/import/import-bundle.ts'
import { lineageOf } from '../trace/lineage.ts'
import { describeRecovery } from '../trace/recovery.ts'
import { openStore, type Store } from '../trace/store.ts'
import { compareSnapshots } from './compare.ts'
import { DayBudgetKeeper } from './day-budget.ts'
import { openDefaultDriver } from './default-driver.ts'
import { examine } from './doctor.ts'
import { Events } from './events.ts'
import { buildImage, listImages, removeImage } from './images.ts'
import { Lifecycle } from './lifecycle.ts'
import { Machines } from './machines.ts'
import { RoomKeeper } from './readiness.ts'
import { SnapshotKeeper } from './snapshot-keeper.ts'
import { findSnapshots, isSnapshotName, moveSnapshots } from './snapshot-place.ts'
import { Tasks } from './tasks.ts'

export type EngineOptions = { paths: Paths; log: Log; driver?: SandboxDriver }

type Handlers = { [M in MethodName]: (input: Parsed<M>) => Promise<Output<M>> | Output<M> }

/** Opens the store, ends what an earlier engine left behind, and starts getting a desktop ready. */
export async function openEngine({ paths, log, driver: given }: EngineOptions): Promise<Engine> {
  await fs.mkdir(paths.home, { recursive: true, mode: 0o700 })
  const store = openStore(paths.database)
  try {
    const missing = await findSnapshots(store, paths)
    const driver = given ?? (await openDefaultDriver(paths))
    const notices = [...missing, ...(await recover(store, driver, paths))]
    for (const notice of notices) log.warn(notice)
    const events = new Events()
    const frames = await openFrameStore(paths.frames)
    const machines = new Machines({ paths, store, frames, driver, events })
    const keys = new SecretStore(paths.secrets)
    let secrets = new Secrets(await keys.all('secret'))
    const readSecrets = async () => {
      secrets = new Secrets(await keys.all('secret'))
      return {}
    }
    const dayBudget = new DayBudgetKeeper(store)
    const tasks = new Tasks({
      day: dayBudget.day,
      store,
      frames,
      machines,
      events,
      log,
      concurrency: 2,
      secrets: () => secrets,
      planFor: (request, saved) => plannerFor(request, { keys, secretNames: secrets.names, store, frames, saved }),
    })
    const snapshots = new SnapshotKeeper({ paths, store, driver, machines })
    const lifecycle = new Lifecycle({ machines, store, log })
    const room = new RoomKeeper(driver, events)
    const closing = new AbortController()
    room.prepare('desktop', closing.signal)
    const startedAt = new Date().toISOString()
    let closed: Promise<void> | null = null

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
      'engine.shutdown': () => {
        throw new GodHandError('unsupported', 'The engine is closed by whoever started it.')
      },
      'task.run': (request) => tasks.start(request),
      'task.list': ({ limit }) => tasks.list(limit),
      'task.get': ({ taskId }) => ({ task: tasks.get(taskId), steps: store.steps.list(taskId) }),
      'task.stop': ({ taskId }) => tasks.stop(taskId),
      'task.pause': ({ taskId }) => tasks.pause(taskId),
      'task.resume': ({ taskId }) => tasks.resume(taskId),
      'task.guide': ({ taskId, text }) => tasks.guide(taskId, text),
      'task.answer': ({ taskId, text }) => tasks.answer(taskId, text),
      'task.approve': ({ taskId, answer }) => tasks.approve(taskId, answer),
      'task.takeOver': ({ taskId }) => tasks.takeOver(taskId),
      'task.handBack': ({ taskId }) => tasks.handBack(taskId),
      'task.resumeInterrupted': ({ taskId }) => tasks.resumeInterrupted(taskId),
      'lineage.get': ({ taskId }) => lineageOf(store, taskId),
      'budget.day.get': () => dayBudget.get(),
      'budget.day.set': (limits) => dayBudget.set(limits),
      'secret.list': async () => ({ names: await keys.list('secret'), warning: keys.warning }),
      'secret.set': ({ name, value }) => keys.set('secret', name, value).then(readSecrets),
      'secret.remove': ({ name }) => keys.remove('secret', name).then(readSecrets),
      'key.list': async () => ({ names: await keys.list('api_key'), warning: keys.warning }),
      'key.set': ({ name, value }) => keys.set('api_key', name, value).then(() => ({})),
      'trace.search': (query) => store.library.find(query),
      'trace.export': async ({ taskId, format, file, redact }) => {
        tasks.get(taskId)
        await exportTrace(store, frames, taskId, format, file, { redact, signal: closing.signal })
        return { file, bytes: (await fs.stat(file)).size }
      },
      'trace.import': async ({ file, copy }) =>
        (await importBundle(file, store, frames, { copy, signal: closing.signal })).task,
      'trace.delete': ({ taskId }) => deleteTrace(store, frames, taskId),
      'vm.create': (wish) => machines.create(wish),
      'vm.list': () => machines.list(),
      'vm.exec': ({ machineId, command, timeoutSeconds }) =>
        machines.use(machineId, (sandbox) => sandbox.exec(command, { timeoutMs: timeoutSeconds * 1000 })),
      'vm.screenshot': ({ machineId }) => machines.screenshot(machineId),
      'vm.act': ({ machineId, action }) => machines.use(machineId, () => tasks.act(machineId, action)),
      'vm.pause': ({ machineId }) => machines.setPaused(machineId, true),
      'vm.resume': ({ machineId }) => machines.setPaused(machineId, false),
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
      'image.build': ({ variant }) => buildImage(paths, variant),
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
        const inUse = () => (machines.count > 0 ? 'machines live on them' : null)
        return { folder: await moveSnapshots(store, paths, folder, inUse) }
      },
      'snapshot.compress': async ({ olderThanMinutes }) => ({
        savedBytes: await snapshots.compressCold(olderThanMinutes * 60_000),
      }),
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
      openVnc: (machineId) => machines.openVnc(machineId),
      busy: () => tasks.busy || machines.count > 0 || room.state.kind === 'preparing',
      close: () => {
        closed ??= (async () => {
          closing.abort(new GodHandError('cancelled', 'GodHand is closing.'))
          await lifecycle.close()
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
