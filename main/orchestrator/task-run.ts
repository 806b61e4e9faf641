import type { Outcome, Phase } from '../agent/loop-context.ts'
import type { Secrets } from '../agent/secrets.ts'
import { GodHandError } from '../contract/errors.ts'
import type { TaskChanges } from '../trace/tasks.ts'
import type { Attachments } from './attachments.ts'
import { type Drive, drive } from './drive.ts'
import type { Events } from './events.ts'
import type { Takeover } from './live-view/takeover.ts'

export const STOPPED = 'Stopped by you.'

export type TaskRun = Omit<Drive, 'machineId' | 'secrets' | 'onActivity' | 'onBranch' | 'onSwitch'> & {
  attachments: Attachments
  events: Events
  /** As they are now. */
  secrets: () => Secrets
  /** The person's hands from the first step. */
  beginByHand: () => Takeover
  update: (changes: TaskChanges) => void
}

/** One task whose turn has come, from its machine to its verdict. Whatever happens is an ending, nothing is thrown. */
export async function runTask(run: TaskRun): Promise<void> {
  const { id, request, control, point, machines, log, secrets, update } = run
  const { signal } = control
  let machineId: string | null = null
  try {
    signal.throwIfAborted()
    update({ state: 'preparing' })
    tellActivity(run, 'preparing', 'Getting a fresh desktop')
    const { fromSnapshot } = point
    const from = fromSnapshot === null ? {} : { fromSnapshot }
    const wish = { image: request.image, boot: false, name: shorten(request.goal), allow: request.allow, ...from }
    const machine = await machines.create(wish, id, signal)
    machineId = machine.id
    await deliver(run, machineId)
    update({ state: 'running', machineId })
    if (control.human) control.takeover = run.beginByHand()
    const outcome = await drive({
      ...run,
      machineId,
      secrets: secrets(),
      onActivity: (phase, text, branchId) => tellActivity(run, phase, text, branchId),
      onBranch: (branch) => run.events.emit({ type: 'branch', branch }),
      onSwitch: (next) => {
        machineId = next
        update({ machineId })
      },
    })
    update(endingOf(outcome))
  } catch (thrown) {
    control.takeover?.drop()
    const error = GodHandError.from(signal.aborted ? signal.reason : thrown)
    const info = secrets().redactDeep(error.toInfo())
    if (error.code === 'internal') log.error({ taskId: id, err: info }, 'a task failed unexpectedly')
    const state = error.code === 'cancelled' ? 'stopped' : error.code === 'interrupted' ? 'interrupted' : 'failed'
    const verdict = state === 'stopped' ? STOPPED : info.message
    update({ state, verdict, error: state === 'stopped' ? null : info })
  } finally {
    if (machineId && !request.keepMachine) await machines.destroy(machineId).catch(() => {}) // it may have died by itself
  }
}

/** What the person attached. A task that goes on from a checkpoint has it in its machine already. */
async function deliver(run: TaskRun, machineId: string): Promise<void> {
  const { request, control, point, attachments, machines } = run
  if (request.attached.length === 0 || point.last !== null) return
  tellActivity(run, 'preparing', 'Bringing in your files')
  const places = await attachments.deliver(request.attached, machines.sandbox(machineId))
  control.leash.note(`The person attached: ${places.join(', ')}`)
}

function tellActivity({ id, events }: TaskRun, phase: Phase | 'preparing', text: string, branchId?: string): void {
  events.emit({ type: 'activity', taskId: id, phase, text, ...(branchId === undefined ? {} : { branchId }) })
}

function endingOf(outcome: Outcome): TaskChanges {
  return {
    state: outcome.kind,
    verdict: outcome.summary,
    checks: outcome.checks,
    error: outcome.kind === 'failed' ? outcome.error : null,
  }
}

function shorten(goal: string): string {
  return goal.length > 60 ? `${goal.slice(0, 59)}…` : goal
}
