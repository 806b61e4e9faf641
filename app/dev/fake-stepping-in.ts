import { GodHandError } from '../../main/contract/errors.ts'
import type { MethodName } from '../../main/contract/rpc.ts'
import type { Task, WaitingFor } from '../../main/contract/task.ts'
import { frameOf } from './fake-frames.ts'
import { beats } from './fake-story.ts'
import type { FakeWorld } from './fake-world.ts'
import { aDiff } from './samples.ts'

/** The person's side of a make-believe task: what it asks them, and what they do to it. */

export async function asks(index: number): Promise<WaitingFor | undefined> {
  if (index === 1)
    return {
      kind: 'approval',
      acts: [
        ...(beats[1]?.acts ?? []),
        {
          type: 'exec',
          command: 'rm -rf ~/Pictures/old && rm -rf ~/Downloads/unsorted ~/.cache/thumbnails',
          timeoutSeconds: 60,
        },
      ],
      risks: [{ index: 1, why: 'It removes files for good.' }],
      frame: await frameOf(beats[0]?.scene ?? {}),
      consequence: {
        diff: aDiff(),
        changes: ['/home/user/Pictures/old.jpg was removed', '41 files in /home/user/Downloads/unsorted were removed'],
        before: await frameOf(beats[0]?.scene ?? {}),
        after: await frameOf(beats[1]?.scene ?? {}),
        outputs: ['', 'removed 42 files'],
        egress: [],
      },
    }
  if (index === 3)
    return { kind: 'question', text: 'There is a poem.txt already. Shall I write over it, or take another name?' }
  return undefined
}

/** Resolves once nothing holds the task: not the person, not a question to them, unless it has ended. */
export async function held(world: FakeWorld, taskId: string): Promise<void> {
  const waits = (task: Task | undefined) => task?.state === 'running' && (task.hold || task.waitingFor)
  while (waits(world.tasks.get(taskId))) await new Promise((resolve) => setTimeout(resolve, 50))
}

export function stepInto(world: FakeWorld, taskId: string, method: MethodName): Task {
  const task = world.tasks.get(taskId)
  if (task?.state !== 'running') throw new GodHandError('conflict', 'The task has ended.')
  const changed = { ...task, ...changes[method] }
  world.tell({ type: 'task', task: changed })
  return changed
}

const changes: Partial<Record<MethodName, Partial<Task>>> = {
  'task.pause': { hold: 'paused' },
  'task.resume': { hold: null },
  'task.takeOver': { hold: 'taken_over', waitingFor: null },
  'task.handBack': { hold: null },
  'task.answer': { waitingFor: null },
  'task.approve': { waitingFor: null },
}
