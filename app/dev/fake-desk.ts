import type { Attachment } from '../../main/contract/attachment.ts'
import type { LogLine } from '../../main/contract/diagnostics.ts'
import type { Example } from '../../main/contract/example.ts'
import { Script } from '../../main/contract/task.ts'

/** What the start page and the settings of the make-believe engine are told. */

const script = Script.parse({
  goal: 'Write a haiku and count its words',
  steps: [{ say: 'An editor on the left.' }, { say: 'Seventeen syllables.' }, { say: 'And the count of them.' }],
  finish: [{ check: 'file_exists', path: '/home/user/haiku.txt' }],
})

export const fakeExamples: Example[] = [
  {
    id: 'haiku',
    title: 'A haiku, counted',
    detail: 'Writes a haiku in the editor and has the terminal beside it count lines and words.',
    branches: false,
    script,
  },
  {
    id: 'two-ways',
    title: 'Two ways at once',
    detail: 'Makes room on a disk in two machines at the same time. One way loses notes; the other is kept.',
    branches: true,
    script,
  },
  {
    id: 'parcel',
    title: 'The dropped parcel',
    detail: 'Keeps the machine, breaks something that cannot be mended, and goes back to before it broke.',
    branches: false,
    script,
  },
  {
    id: 'waves',
    title: 'The sea at night',
    detail: 'A terminal over the whole screen, and a sea with stars drawn in it by a line of arithmetic.',
    branches: false,
    script,
  },
]

let attached = 0
export const fakeAttachment = (name: string, bytes: number): Attachment => ({
  id: `file_${++attached}`,
  name,
  bytes,
})

const line = (at: string, level: LogLine['level'], message: string, more = {}): LogLine => ({
  at: `2026-11-02T${at}.000Z`,
  level,
  message,
  more,
})

export const fakeLog: LogLine[] = [
  line('08:59:02', 'info', 'listening', { port: 7700 }),
  line('08:59:03', 'warn', 'the previous engine ended without cleaning up', { pid: 4101 }),
  line('09:12:44', 'error', 'a task failed unexpectedly', { taskId: 'task_0q8zk3m1xw', code: 'machine_died' }),
  line('09:30:10', 'info', 'leaving', { reason: 'asked to' }),
]
