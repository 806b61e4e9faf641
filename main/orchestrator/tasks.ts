import PQueue from 'p-queue'
import type { Adviser } from '../agent/adviser.ts'
import type { Day } from '../agent/leash/budget.ts'
import type { Planner } from '../agent/planner.ts'
import { HumanPlanner } from '../agent/planners/human.ts'
import type { Secrets } from '../agent/secrets.ts'
import type { Declaration } from '../contract/declaration.ts'
import { GodHandError } from '../contract/errors.ts'
import type { Snapshot } from '../contract/machine.ts'
import type { ModelChoice } from '../contract/model.ts'
import type { ApprovalAnswer, RunTask, Step, Task } from '../contract/task.ts'
import type { Log } from '../log.ts'
import type { FrameStore } from '../trace/frame-store.ts'
import type { FrameRecord } from '../trace/frames.ts'
import { newId } from '../trace/ids.ts'
import type { Store } from '../trace/store.ts'
import { hasEnded } from '../trace/task-state.ts'
import type { TaskChanges } from '../trace/tasks.ts'
import type { Attachments } from './attachments.ts'
import type { BranchFiles } from './branch-files.ts'
import type { StepByHand } from './by-hand.ts'
import type { Events } from './events.ts'
import type { JudgeRulesKeeper } from './judge-rules.ts'
import { snapshotOfTask } from './line.ts'
import { HandsOn } from './live-view/hands-on.ts'
import type { Machines } from './machines.ts'
import { type ResumePoint, resumePoint } from './resume-point.ts'
import { TaskControl } from './task-control.ts'
import { runTask, STOPPED } from './task-run.ts'

export type TasksOptions = {
  store: Store
  frames: FrameStore
  machines: Machines
  events: Events
  log: Log
  concurrency: number
  attachments: Attachments
  /** What all tasks of a day may take. */
  day: Day
  /** As they are now: the person may give more at any time. */
  secrets: () => Secrets
  /** `saved`: what the planner left when the last engine ended. */
  planFor: (request: RunTask, saved?: unknown) => Promise<Planner>
  /** For questions beside the work: who did it better. */
  adviserFor: (choice: ModelChoice) => Promise<Adviser>
  judgeRules: JudgeRulesKeeper
  branchFiles: BranchFiles
}

/** Goals become traces here: queued, given a fresh machine, run, judged, and remembered. */
export class Tasks {
  readonly #options: TasksOptions
  readonly #queue: PQueue
  readonly #controls = new Map<string, TaskControl>()
  /** Who may touch the machines, and what of it is recorded. */
  readonly hands: HandsOn

  constructor(options: TasksOptions) {
    this.#options = options
    this.hands = new HandsOn({
      ...options,
      controlOf: (id) => this.#controls.get(id),
      machineOf: (id) => this.get(id).machineId,
      onStep: (taskId, step, fresh) => this.#appendByHand(taskId, step, fresh),
    })
    this.#queue = new PQueue({ concurrency: options.concurrency })
  }

  get busy(): boolean {
    return this.#controls.size > 0
  }

  /** Takes the task and returns at once; what happens to it is told by events. */
  async start(given: RunTask): Promise<Task> {
    const request = this.#options.judgeRules.into(this.#options.secrets().redactDeep(given))
    if (request.fromSnapshot !== undefined) this.#options.machines.snapshotOf(request.fromSnapshot)
    await this.#options.attachments.check(request.attached)
    const planner = await this.#options.planFor(request) // a missing key or a bad script is said before anything is queued
    const task: Task = {
      id: newId('task'),
      goal: request.goal,
      image: request.image,
      planner: planner.name,
      state: 'queued',
      machineId: null,
      verdict: null,
      error: null,
      checks: [],
      stepCount: 0,
      createdAt: new Date().toISOString(),
      startedAt: null,
      endedAt: null,
    }
    this.#options.store.tasks.insert(task, request)
    const taken = this.#announce(task.id)
    this.#enqueue(task.id, request, planner, {
      fromSnapshot: request.fromSnapshot ?? null,
      last: null,
      behind: 0,
      note: null,
    })
    return taken
  }

  /** Goes on with what an engine left behind, in the same conversation and the same trace. */
  async resumeInterrupted(id: string): Promise<Task> {
    const { store } = this.#options
    const { state } = this.get(id)
    if (state !== 'interrupted')
      throw new GodHandError('conflict', `Only a task that was interrupted can be resumed; this one is ${state}.`)
    const request = store.tasks.request(id)
    if (!request)
      throw new GodHandError('unsupported', 'What this task was asked for was not recorded.', { hint: 'Run it anew.' })
    const conversation = store.conversations.get(id)
    const planner = await this.#options.planFor(request, conversation?.state ?? undefined)
    const point = resumePoint(request, store.steps.list(id), conversation)
    store.tasks.update(id, { state: 'queued', endedAt: null, verdict: null, error: null, machineId: null })
    const taken = this.#announce(id)
    this.#enqueue(id, request, planner, point)
    return taken
  }

  #enqueue(id: string, request: RunTask, planner: Planner, point: ResumePoint): void {
    const spent = this.#options.store.conversations.get(id)?.spent
    const control = new TaskControl(request, spent, this.#options.day, () => this.#announce(id))
    if (point.note) control.leash.note(point.note)
    if (planner instanceof HumanPlanner) control.human = planner
    this.#controls.set(id, control)
    void this.#queue
      .add(async () => {
        if (hasEnded(this.get(id).state)) return // stopped in the queue
        await runTask({
          ...this.#options,
          id,
          request,
          planner,
          control,
          point,
          beginByHand: () => this.hands.begin(id),
          update: (changes) => this.#update(id, changes),
          onStep: (step) => this.#tell(step),
        })
      })
      .finally(() => this.#controls.delete(id))
  }

  /** With what is known only while it runs. */
  get(id: string): Task {
    const task = this.#options.store.tasks.get(id)
    if (!task) throw new GodHandError('not_found', `There is no task ${id}.`, { hint: 'List them: godhand trace list' })
    return this.#live(task)
  }

  list(limit: number): Task[] {
    return this.#options.store.tasks.list(limit).map((task) => this.#live(task))
  }

  #live(task: Task): Task {
    const control = hasEnded(task.state) ? undefined : this.#controls.get(task.id)
    return { ...task, ...(control?.state ?? { waitingFor: null, hold: null }) }
  }

  /** Ends it within a second or so. A task that has ended already stays as it is. */
  async stop(id: string): Promise<Task> {
    const task = this.get(id)
    if (hasEnded(task.state)) return task
    this.#controls.get(id)?.stop(new GodHandError('cancelled', 'Stopped.'))
    if (task.state === 'queued') this.#update(id, { state: 'stopped', verdict: STOPPED })
    await this.#ended(id)
    return this.get(id)
  }

  pause(id: string): Task {
    return this.#step(id, ({ leash }) => leash.pause())
  }

  /** Also hands back what was taken over. */
  async resume(id: string): Promise<Task> {
    return this.#running(id).leash.takenOver ? this.handBack(id) : this.#step(id, ({ leash }) => leash.resume())
  }

  guide(id: string, text: string): Task {
    return this.#step(id, ({ leash }) => leash.guide(this.#options.secrets().redact(text)))
  }

  answer(id: string, text: string): Task {
    return this.#step(id, (control) => control.answer(this.#options.secrets().redact(text)))
  }

  approve(id: string, answer: ApprovalAnswer): Task {
    return this.#step(id, (control) => control.approve(answer))
  }

  /** Nothing more is begun; what the agent is typing is typed to its end before the person may. */
  async takeOver(id: string): Promise<Task> {
    const { leash } = this.#running(id)
    leash.takeOver()
    await leash.handsFree()
    return this.#step(id, (control) => {
      if (!control.takeover) control.takeOver(this.hands.begin(id))
    })
  }

  async handBack(id: string, words?: string): Promise<Task> {
    const control = this.#running(id)
    if (!control.leash.takenOver) throw new GodHandError('conflict', 'Nobody has taken over this task.')
    await control.handBack()
    return words === undefined ? this.#announce(id) : this.guide(id, words)
  }

  /** The end of a task that is done by hand. */
  async declare(id: string, declaration: Declaration): Promise<Task> {
    const { human, takeover } = this.#running(id)
    if (!human)
      throw new GodHandError('conflict', 'Only a task that is done by hand is ended by word.', {
        hint: 'Stop it, or take it over.',
      })
    await takeover?.recorded()
    human.declare(this.#options.secrets().redactDeep(declaration))
    return this.#announce(id)
  }

  /** What is on its screen and in its memory now. The agent is not told: nothing changes for it. */
  checkpoint(id: string, label: string | null): Promise<Snapshot> {
    const { machineId, state } = this.get(id)
    if (!machineId) throw new GodHandError('conflict', `The task has no machine: it is ${state}.`)
    return this.#options.machines.snapshot(machineId, label)
  }

  rollback(id: string, to: string): Task {
    const { id: snapshotId, label } = snapshotOfTask(this.#options.store, id, to)
    return this.#step(id, (control) => control.putBack({ snapshotId, name: label ?? snapshotId }))
  }

  #step(id: string, into: (control: TaskControl) => void): Task {
    into(this.#running(id))
    return this.#announce(id)
  }

  #running(id: string): TaskControl {
    const { state } = this.get(id)
    const control = this.#controls.get(id)
    if (!control || hasEnded(state)) throw new GodHandError('conflict', `The task has ended: it is ${state}.`)
    return control
  }

  async close(): Promise<void> {
    for (const control of this.#controls.values()) control.stop(new GodHandError('interrupted', 'GodHand was closed.'))
    await this.#queue.onIdle()
  }

  #ended(id: string): Promise<void> {
    return new Promise((resolve) => {
      const off = this.#options.events.on((event) => {
        if (event.type === 'task' && event.task.id === id && hasEnded(event.task.state)) done()
      })
      const done = () => {
        off()
        resolve()
      }
      if (hasEnded(this.get(id).state)) done()
    })
  }

  #appendByHand(taskId: string, byHand: StepByHand, fresh: FrameRecord[]): void {
    const { machineId, stepCount: index } = this.get(taskId)
    const step: Step = { ...byHand, taskId, index, ...(machineId === null ? {} : { machineId }) }
    for (const { act } of step.actions) this.#controls.get(taskId)?.leash.recordAct(act)
    this.#options.store.steps.append(step, fresh)
    this.#tell(step)
  }

  #tell(step: Step): void {
    this.#options.events.emit({ type: 'step', step })
    this.#announce(step.taskId)
  }

  #update(id: string, changes: TaskChanges): void {
    this.#options.store.tasks.update(id, changes)
    this.#announce(id)
  }

  #announce(id: string): Task {
    const task = this.get(id)
    this.#options.events.emit({ type: 'task', task })
    return task
  }
}
