import type { Duplex } from 'node:stream'
import type { Secrets } from '../../agent/secrets.ts'
import type { Action } from '../../contract/action.ts'
import { GodHandError } from '../../contract/errors.ts'
import type { Output } from '../../contract/rpc.ts'
import type { Log } from '../../log.ts'
import { performAction } from '../../screen/input.ts'
import type { FrameStore } from '../../trace/frame-store.ts'
import type { FrameRecord } from '../../trace/frames.ts'
import { actAndSettle, type StepByHand } from '../by-hand.ts'
import type { Events } from '../events.ts'
import type { Machines } from '../machines.ts'
import type { TaskControl } from '../task-control.ts'
import { GuardedScreen } from './guarded-screen.ts'
import { Takeover } from './takeover.ts'

export type HandsOnOptions = {
  machines: Machines
  frames: FrameStore
  events: Events
  log: Log
  secrets: () => Secrets
  /** Of a task that runs. */
  controlOf: (taskId: string) => TaskControl | undefined
  machineOf: (taskId: string) => string | null
  onStep: (taskId: string, step: StepByHand, frames: FrameRecord[]) => void
}

/** Whether a person may lay hands on a machine: on one that no task drives, or whose task they have taken over. */
type Leave = { kind: 'free' } | { kind: 'recorded'; takeover: Takeover } | { kind: 'closed' }

/** People at the machines: whose hands are let through, and what of it goes into a trace. */
export class HandsOn {
  readonly #options: HandsOnOptions

  constructor(options: HandsOnOptions) {
    this.#options = options
  }

  /** From now on what is done to the task's machine is recorded. */
  begin(taskId: string): Takeover {
    const { machines, frames, secrets, log, machineOf, onStep } = this.#options
    const machineId = () => machineOf(taskId) ?? ''
    return new Takeover({
      sandbox: () => machines.sandbox(machineId()),
      frames,
      head: () => machines.head(machineId()),
      secrets,
      onStep: (step, fresh) => onStep(taskId, step, fresh),
      onTrouble: (thrown) =>
        log.warn({ taskId, err: GodHandError.from(thrown) }, 'something done by hand was not seen'),
    })
  }

  async act(machineId: string, action: Action, comeToRest = false): Promise<Output<'vm.act'>> {
    const leave = this.#leave(machineId)
    if (leave.kind === 'recorded') return leave.takeover.act(action, comeToRest)
    if (leave.kind === 'free') {
      const sandbox = this.#options.machines.sandbox(machineId)
      return comeToRest ? actAndSettle(sandbox, action) : performAction(sandbox, action)
    }
    throw new GodHandError('conflict', 'A task drives this machine.', {
      hint: 'Take it over first: npx godhand task take-over <task>',
    })
  }

  /** Looking is always allowed. */
  liveView(machineId: string, screen: Duplex): Duplex {
    const allows = () => this.#leave(machineId).kind !== 'closed'
    const view = new GuardedScreen(screen, {
      allows,
      onHand: async (hand) => {
        const leave = this.#leave(machineId)
        if (leave.kind === 'recorded') await leave.takeover.sees(hand)
      },
    })
    const off = this.#options.events.on(({ type }) => {
      if (type === 'task' && !allows()) view.letGo()
    })
    return view.once('close', off)
  }

  #leave(machineId: string): Leave {
    const { machines, controlOf, machineOf } = this.#options
    const taskId = machines.list().find(({ id }) => id === machineId)?.taskId
    const control = taskId ? controlOf(taskId) : undefined
    if (!taskId || !control) return { kind: 'free' }
    const { takeover } = control
    return takeover && machineOf(taskId) === machineId ? { kind: 'recorded', takeover } : { kind: 'closed' }
  }
}
