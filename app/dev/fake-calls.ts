import { GodHandError } from '../../main/contract/errors.ts'
import type { Machine } from '../../main/contract/machine.ts'
import { type MethodName, methods } from '../../main/contract/rpc.ts'
import type { RunTask } from '../../main/contract/task.ts'
import { frameOf, height, width } from './fake-frames.ts'
import { searchTraces } from './fake-library.ts'
import { asks, held, stepInto } from './fake-stepping-in.ts'
import { beats, passed, stepOf } from './fake-story.ts'
import { keepMoments } from './fake-tree.ts'
import type { FakeWorld } from './fake-world.ts'
import { aMachine, anInfo, aTask } from './samples.ts'

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

  const play = async (taskId: string) => {
    const update = (over: Partial<ReturnType<typeof aTask>>) => {
      const task = world.tasks.get(taskId)
      if (task) world.tell({ type: 'task', task: { ...task, ...over } })
    }
    const stopped = () => world.tasks.get(taskId)?.state === 'stopped'
    update({ state: 'preparing', startedAt: new Date().toISOString() })
    world.tell({ type: 'activity', taskId, phase: 'preparing', text: 'Waking a copy of the desktop template' })
    await pause(paceMs)
    const asking = world.tasks.get(taskId)?.planner === 'local'
    const machine = newMachine({ taskId })
    update({ state: 'running', machineId: machine.id })
    for (const [index, beat] of beats.entries()) {
      if (stopped()) break
      world.tell({ type: 'activity', taskId, phase: 'thinking', text: beat.thought })
      await pause(paceMs * 0.6)
      if (asking) update({ waitingFor: (await asks(index)) ?? null })
      await held(world, taskId)
      world.tell({ type: 'activity', taskId, phase: 'acting', text: beat.thought })
      world.scenes.set(machine.id, beat.scene)
      await pause(paceMs * 0.6)
      if (!stopped()) world.tell({ type: 'step', step: await stepOf(taskId, index, Date.now()) })
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
      planner: input.planner.kind,
      createdAt: new Date().toISOString(),
    })
    world.tell({ type: 'task', task })
    world.steps.set(task.id, [])
    void play(task.id)
    return task
  }

  const answer = async (method: MethodName, params: unknown): Promise<unknown> => {
    switch (method) {
      case 'engine.info':
        return anInfo({ startedAt, readiness: world.readiness, notices })
      case 'engine.doctor':
        await pause(paceMs / 4)
        return world.doctor
      case 'task.list':
        return [...world.tasks.values()]
      case 'task.run':
        return run(methods[method].input.parse(params))
      case 'task.get': {
        const { taskId } = methods[method].input.parse(params)
        const task = world.tasks.get(taskId)
        if (!task) throw new GodHandError('not_found', `There is no task ${taskId}.`)
        return { task, steps: world.steps.get(taskId) ?? [] }
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
      case 'snapshot.list':
        return world.snapshots
      case 'trace.search': {
        const { text: words = '', states, planner = '' } = methods[method].input.parse(params)
        return searchTraces(world, { words, states, planner })
      }
      case 'trace.delete': {
        const { taskId } = methods[method].input.parse(params)
        world.tasks.delete(taskId)
        return { traces: 1, frames: 12, bytes: 4_100_000 }
      }
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
