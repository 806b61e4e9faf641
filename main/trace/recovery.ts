import { z } from 'zod'
import type { ErrorInfo } from '../contract/errors.ts'
import type { Task } from '../contract/task.ts'
import { branchWriter } from './branches.ts'
import type { WriteConnection } from './connection.ts'
import { type MachineRecord, machineReader, machineWriter } from './machines.ts'
import { taskWriter } from './tasks.ts'

/** What an engine that did not end in order left behind, and is now closed in the store. */
export type Recovery = {
  tasks: Task[] // now interrupted
  machines: MachineRecord[] // as they were: the pid is that of a process that may still run
  snapshots: string[] // half written; their rows are gone, their folders are for the caller to remove
}

const Id = z.object({ id: z.string() })

/** Only for the one engine that owns the data folder, before it starts anything. Safe to call again. */
export function recoverInterrupted(connection: WriteConnection): Recovery {
  return connection.transaction(() => {
    const unfinished = connection.all(
      Id,
      `SELECT id FROM tasks WHERE state IN ('queued', 'preparing', 'running') ORDER BY created_at, id`,
    )
    const tasks = unfinished.map(({ id }) =>
      taskWriter(connection).update(id, { state: 'interrupted', error: interruption('task') }),
    )
    branchWriter(connection).interrupt()
    const asleep = new Set(
      machineReader(connection)
        .sleeping()
        .map(({ id }) => id),
    ) // they stay what they are
    const machines = machineReader(connection)
      .alive()
      .filter(({ id }) => !asleep.has(id))
    for (const machine of machines) machineWriter(connection).end(machine.id, interruption('machine'))
    const snapshots = connection
      .all(Id, `SELECT id FROM snapshots WHERE state = 'writing' ORDER BY created_at, id`)
      .map(({ id }) => id)
    connection.run(`DELETE FROM snapshots WHERE state = 'writing'`)
    return { tasks, machines, snapshots }
  })
}

function interruption(what: 'task' | 'machine'): ErrorInfo {
  return {
    code: 'interrupted',
    message: `GodHand ended while this ${what} was running.`,
    hint:
      what === 'task'
        ? 'Every finished step is kept. Resume it, or run it again to start over.'
        : 'Make a new machine.',
  }
}

/** In sentences for the person; empty when all was in order. */
export function describeRecovery({ tasks, machines, snapshots }: Recovery): string[] {
  const notices = tasks.map(
    (task) => `“${shortened(task.goal)}” was interrupted: GodHand ended while it ran. ${kept(task.stepCount)}`,
  )
  if (machines.length > 0) notices.push(`${counted(machines.length, 'machine')} of the last run ended with it.`)
  if (snapshots.length > 0) notices.push(`${counted(snapshots.length, 'unfinished snapshot')} removed.`)
  return notices
}

function kept(steps: number): string {
  return steps === 0 ? 'It had not finished a step.' : `${counted(steps, 'finished step')} kept.`
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

function shortened(goal: string): string {
  return goal.length > 80 ? `${goal.slice(0, 79)}…` : goal
}
