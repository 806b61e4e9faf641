import { GodHandError } from '../../main/contract/errors.ts'
import type { Machine } from '../../main/contract/machine.ts'
import type { ReplayChoice } from '../../main/contract/replay.ts'
import { type MethodName, methods } from '../../main/contract/rpc.ts'
import type { RunTask } from '../../main/contract/task.ts'
import { benchmarkCall } from './fake-benchmarks.ts'
import { fakeAttachment, fakeExamples, fakeLog } from './fake-desk.ts'
import { frameOf, height, width } from './fake-frames.ts'
import { filesIn } from './fake-guest.ts'
import { fakeImages, fakeUse, makeFakeImage, removeFakeImage } from './fake-images.ts'
import { replayAsks, replayedStep } from './fake-replay.ts'
import { fakeCalibrations, fakeDayBudget, fakeServers, fakeSettings } from './fake-settings.ts'
import { asks, held, stepInto } from './fake-stepping-in.ts'
import { beats, passed, stepOf } from './fake-story.ts'
import { isTraceMethod, traceCall } from './fake-traces.ts'
import { keepMoments, lineageIn } from './fake-tree.ts'
import { holdTournament } from './fake-ways.ts'
import type { FakeWorld } from './fake-world.ts'
import { aDiff, aMachine, anInfo, aSnapshot, aTask } from './samples.ts'

const names = ['brave-wren', 'calm-lynx', 'early-finch', 'kind-badger', 'lucid-hare', 'steady-crane']
const notices = [
  'The engine was ended in the middle of “Rename every photo in Pictures…”. Its first 3 steps are safe; the machine was removed.',
]

/** Answers the calls of the contract out of thin air, `paceMs` slow. */
export function answering(world: FakeWorld, paceMs: number) {
  let made = 0
  const startedAt = new Date().toISOString()

  const machineOf = (id: string): Machine => {
    const machine = world.machines.get(id)
    if (!machine)
      throw new GodHandError('not_found', `There is no machine ${id}.`, { hint: 'See the list of machines.' })
    return machine
  }
  const newMachine = (over: Partial<Machine> = {}): Machine => {
    made += 1
    const name = names[made % names.length] ?? 'brave-wren'
    const machine = aMachine({ id: `m${made}`, name, createdAt: new Date().toISOString(), ...over })
    world.scenes.set(machine.id, {})
    world.tell({ type: 'machine', machine })
    return machine
  }
  const withState = (id: string, state: Machine['state']): Machine => {
    const machine = { ...machineOf(id), state }
    world.tell({ type: 'machine', machine })
    return machine
  }

  const play = async (taskId: string, replay?: ReplayChoice) => {
    const update = (over: Partial<ReturnType<typeof aTask>>) => {
      const task = world.tasks.get(taskId)
      if (task) world.tell({ type: 'task', task: { ...task, ...over } })
    }
    const stopped = () => world.tasks.get(taskId)?.state === 'stopped'
    update({ state: 'preparing', startedAt: new Date().toISOString() })
    world.tell({ type: 'activity', taskId, phase: 'preparing', text: 'Waking a copy of the desktop template' })
    await pause(paceMs)
    const planner = world.tasks.get(taskId)?.planner
    const asking = planner === 'local'
    const machine = newMachine({ taskId })
    update({ state: 'running', machineId: machine.id })
    for (const [index, beat] of beats.entries()) {
      if (stopped()) break
      world.tell({ type: 'activity', taskId, phase: 'thinking', text: beat.thought })
      await pause(paceMs * 0.6)
      if (asking) update({ waitingFor: (await asks(index)) ?? null })
      if (replay) update({ waitingFor: replayAsks(index, replay.disagreement) ?? null })
      await held(world, taskId)
      if (planner === 'openai' && index === 3)
        await holdTournament(world, taskId, newMachine, (share) => pause(paceMs * share))
      world.tell({ type: 'activity', taskId, phase: 'acting', text: beat.thought })
      world.scenes.set(machine.id, beat.scene)
      await pause(paceMs * 0.6)
      const step = await stepOf(taskId, index, Date.now())
      if (!stopped()) world.tell({ type: 'step', step: replay ? await replayedStep(step, replay.variables) : step })
    }
    withState(machine.id, { kind: 'dead', reason: null })
    if (stopped()) return
    update({
      state: 'succeeded',
      verdict: 'The poem is in /home/user/poem.txt and the terminal could read it back.',
      checks: [
        passed('/home/user/poem.txt exists and contains “sea”.', { size: 74 }),
        passed('The terminal shows the poem.'),
      ],
      stepCount: beats.length,
      endedAt: new Date().toISOString(),
    })
  }

  const run = (input: RunTask) => {
    if (input.planner.kind === 'anthropic')
      throw new GodHandError('missing_prerequisite', 'No key for Claude is set.', {
        hint: 'Set ANTHROPIC_API_KEY and start again, or play the demo, which needs no key.',
      })
    const task = aTask({
      id: `t${Date.now()}`,
      goal: input.goal,
      planner: input.planner.kind === 'replay' ? `replay:${input.planner.taskId}` : input.planner.kind,
      createdAt: new Date().toISOString(),
    })
    world.tell({ type: 'task', task })
    world.steps.set(task.id, [])
    void play(task.id, input.planner.kind === 'replay' ? input.planner : undefined)
    return task
  }

  const prepareAgain = async () => {
    for (let done = 0; done <= 100; done += 4) {
      const progress = { step: 'Starting the desktop for the first time', done, total: 100 }
      world.tell({ type: 'readiness', readiness: { kind: 'preparing', progress } })
      await pause(paceMs / 3)
    }
    world.tell({ type: 'readiness', readiness: { kind: 'ready', image: 'desktop', accelerator: 'tcg' } })
  }

  const answer = async (method: MethodName, params: unknown): Promise<unknown> => {
    if (isTraceMethod(method)) return traceCall(world, method, params, paceMs)
    switch (method) {
      case 'engine.info':
        return anInfo({ startedAt, readiness: world.readiness, notices })
      case 'engine.doctor':
        await pause(paceMs / 4)
        return world.doctor
      case 'engine.prepare':
        void prepareAgain()
        return {}
      case 'engine.logs':
        return fakeLog
      case 'engine.reset':
        world.tasks.clear()
        return {}
      case 'settings.get':
        return {
          settings: fakeSettings.now,
          usualMachine: { memoryMb: 2048, cpus: 2 },
          snapshotFolder: '~/.local/share/godhand/snapshots',
        }
      case 'settings.set':
        fakeSettings.now = methods[method].input.parse(params)
        return answer('settings.get', {})
      case 'key.list':
        return { names: ['anthropic'], warning: null }
      case 'secret.list':
        return {
          names: ['mail-password', 'shop.login'],
          warning:
            'There is no system keychain at hand. Secrets are kept in ~/.local/share/godhand/secrets.json, readable by your user account only, but not encrypted.',
        }
      case 'key.set':
      case 'key.remove':
      case 'secret.set':
      case 'secret.remove':
      case 'snapshot.budget':
        return {}
      case 'budget.day.get':
      case 'budget.day.set':
        return fakeDayBudget
      case 'model.servers':
        return fakeServers
      case 'model.list':
        return ['claude-opus', 'claude-sonnet'].map((id, index) => ({ id, usual: index === 0, format: null }))
      case 'model.calibrations':
        return fakeCalibrations
      case 'model.test':
        await pause(paceMs / 2)
        return { model: 'claude', tookMs: 812, said: 'ready' }
      case 'model.calibrate':
        await pause(paceMs)
        return fakeCalibrations[0]
      case 'snapshot.collect':
        return { beforeBytes: 9e8, afterBytes: 6e8, budgetBytes: 2e10, removed: [], needsConsent: [] }
      case 'snapshot.compress':
        return { savedBytes: 2.1e8 }
      case 'snapshot.move':
        return methods[method].input.parse(params)
      case 'example.list':
        return fakeExamples
      case 'image.list':
        return fakeImages()
      case 'image.work':
        return []
      case 'image.build': {
        const wish = methods[method].input.parse(params)
        return makeFakeImage(world, 'build', 'variant' in wish ? wish.variant : 'office', paceMs)
      }
      case 'image.import':
        return makeFakeImage(world, 'import', methods[method].input.parse(params).name, paceMs)
      case 'image.remove':
        return removeFakeImage(methods[method].input.parse(params).imageId)
      case 'vm.usage':
        return fakeUse(world)
      case 'vm.suspend':
        return withState(methods[method].input.parse(params).machineId, { kind: 'paused', suspended: true })
      case 'file.attach':
        return fakeAttachment(methods[method].input.parse(params).name ?? 'file', 4200)
      case 'task.list':
        return [...world.tasks.values()]
      case 'task.run':
        return run(methods[method].input.parse(params))
      case 'task.get': {
        const { taskId, from, limit } = methods[method].input.parse(params)
        const task = world.tasks.get(taskId)
        if (!task) throw new GodHandError('not_found', `There is no task ${taskId}.`)
        const steps = world.steps.get(taskId) ?? []
        return { task, steps: steps.slice(from, limit === undefined ? undefined : from + limit) }
      }
      case 'task.stop': {
        const { taskId } = methods[method].input.parse(params)
        const task = world.tasks.get(taskId)
        if (!task) throw new GodHandError('not_found', `There is no task ${taskId}.`)
        const over = {
          ...task,
          state: 'stopped' as const,
          verdict: 'Stopped by you.',
          endedAt: new Date().toISOString(),
        }
        world.tell({ type: 'task', task: over })
        return over
      }
      case 'vm.list':
        return [...world.machines.values()].filter(({ state }) => state.kind !== 'dead')
      case 'vm.create':
      case 'vm.restore':
        await pause(paceMs / 2)
        return newMachine()
      case 'trace.boot':
        await pause(paceMs / 2)
        return { kind: 'machine', machine: newMachine() }
      case 'vm.fork': {
        const { machineId } = methods[method].input.parse(params)
        return [newMachine({ image: machineOf(machineId).image })]
      }
      case 'vm.screenshot': {
        const { machineId } = methods[method].input.parse(params)
        return { frame: await frameOf(world.scenes.get(machineId) ?? {}), width, height }
      }
      case 'vm.pause':
        return withState(methods[method].input.parse(params).machineId, { kind: 'paused' })
      case 'vm.resume':
        return withState(methods[method].input.parse(params).machineId, { kind: 'running' })
      case 'vm.destroy':
        withState(methods[method].input.parse(params).machineId, { kind: 'dead', reason: null })
        return {}
      case 'vm.snapshot': {
        const [first] = world.snapshots
        const added = { ...first, id: `snap-${Date.now()}`, label: null, createdAt: new Date().toISOString() }
        world.snapshots.push(methods[method].output.parse(added))
        return added
      }
      case 'task.checkpoint': {
        const { taskId } = methods[method].input.parse(params)
        const last = (world.steps.get(taskId) ?? []).at(-1)
        const kept = aSnapshot({ id: `snap-${Date.now()}`, taskId, label: 'By hand', frame: last?.after ?? null })
        world.snapshots.push({ ...kept, createdAt: new Date().toISOString() })
        return kept
      }
      case 'lineage.get':
        return lineageIn(world, methods[method].input.parse(params).taskId)
      case 'snapshot.compare':
        await pause(paceMs)
        return aDiff()
      case 'vm.files':
        return filesIn(methods[method].input.parse(params).path)
      case 'vm.clipboard.read':
        return { text: 'copied in the guest' }
      case 'vm.clipboard.write':
        return {}
      case 'bench.list':
      case 'bench.start':
      case 'bench.cancel':
      case 'bench.remove':
        return benchmarkCall(world, method, params, paceMs)
      case 'snapshot.list':
        return world.snapshots
      case 'snapshot.usage':
      case 'snapshot.pin':
      case 'snapshot.label':
      case 'snapshot.remove':
        return keepMoments(world, method, params)
      case 'task.pause':
      case 'task.resume':
      case 'task.takeOver':
      case 'task.handBack':
      case 'task.guide':
      case 'task.answer':
      case 'task.approve': {
        const { taskId } = methods[method].input.parse(params)
        return stepInto(world, taskId, method)
      }
      case 'task.resumeInterrupted': {
        const { taskId } = methods[method].input.parse(params)
        const task = world.tasks.get(taskId)
        if (!task) throw new GodHandError('not_found', `There is no task ${taskId}.`)
        const queued = { ...task, state: 'queued' as const, verdict: null }
        world.tell({ type: 'task', task: queued })
        void play(taskId)
        return queued
      }
      default:
        throw new GodHandError('unsupported', `The make-believe engine has no ${method}.`)
    }
  }
  return { answer, newMachine }
}

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
