import { FrameKeeper } from '../agent/frame-keeper.ts'
import { type Outcome, type Phase, runLoop } from '../agent/loop.ts'
import type { Planner } from '../agent/planner.ts'
import type { Secrets } from '../agent/secrets.ts'
import { openVerifier } from '../agent/verify/verifier.ts'
import type { RunTask, Step } from '../contract/task.ts'
import type { Log } from '../log.ts'
import { readText } from '../screen/text/read-text.ts'
import type { FrameStore } from '../trace/frame-store.ts'
import type { Store } from '../trace/store.ts'
import type { Machines } from './machines.ts'
import type { ResumePoint } from './resume-point.ts'
import { isModel, type TaskControl } from './task-control.ts'

export type Drive = {
  id: string
  request: RunTask
  planner: Planner
  control: TaskControl
  point: ResumePoint
  machineId: string
  store: Store
  frames: FrameStore
  machines: Machines
  log: Log
  secrets: Secrets
  /** It is in the trace already. */
  onStep: (step: Step) => void
  onActivity: (phase: Phase, text: string) => void
}

/** A model's work is dear: its machine is kept after so many steps, to go on from there after a crash. */
const CHECKPOINT_STEPS = 5

/** The loop on a machine, with everything kept that another engine needs to go on. */
export function drive(task: Drive): Promise<Outcome> {
  const { id, request, planner, control, machineId, store, frames, machines, secrets } = task
  const { signal, leash } = control
  const sandbox = machines.sandbox(machineId)
  if (!leash.paused) leash.meter.startClock()
  let steps = 0
  return runLoop({
    taskId: id,
    goal: request.goal,
    planner,
    sandbox,
    frames: new FrameKeeper(frames),
    verifier: openVerifier({ sandbox: () => sandbox, frames, readText, signal }),
    budget: request.budget,
    leash,
    begin: { last: task.point.last, behind: task.point.behind },
    nextIndex: () => store.tasks.get(id)?.stepCount ?? 0,
    currentSnapshot: () => machines.head(machineId),
    signal,
    secrets,
    askPerson: (question, until) => control.ask(question, until),
    onLook: (frame) => control.looksAt(frame),
    onDecided: () => store.conversations.save(id, secrets.redactDeep(planner.save?.() ?? null), leash.meter.spent),
    checkpoint: async () => {
      steps++
      return isModel(request.planner) && steps % CHECKPOINT_STEPS === 0 ? checkpoint(task) : null
    },
    onStep: (step, fresh) => {
      store.transaction(() => {
        store.steps.append(step, fresh)
        store.conversations.settle(id, leash.meter.spent)
      })
      task.onStep(step)
    },
    onActivity: (phase, text) => task.onActivity(phase, secrets.redact(text)),
  })
}

/** A task goes on without one: a full disk must not end it. */
async function checkpoint({ machines, machineId, log }: Drive): Promise<string | null> {
  try {
    return (await machines.snapshot(machineId, null)).id
  } catch (thrown) {
    log.warn({ machineId, err: thrown }, 'a checkpoint could not be taken')
    return null
  }
}
