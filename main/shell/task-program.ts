import { Argument, type Command } from 'commander'
import type { ApprovalAnswer } from '../contract/task.ts'
import type { DeclareOptions, PlainMethod } from './commands/task.ts'
import type { Act } from './program.ts'

const load = () => import('./commands/task.ts')

/** `godhand task …` */
export function addTaskCommands(task: Command, act: Act): void {
  const add = (name: string, description: string) =>
    task.command(name).description(description).argument('<task>', 'id of the task')
  const addPlain = (name: string, about: string, method: PlainMethod) =>
    add(name, about).action((id: string) => act(async (output) => (await load()).stepIn(method, id, output)))

  addPlain('pause', 'let it finish its step and wait', 'task.pause')
  add('resume', 'let it go on, also one that was interrupted when GodHand ended').action((id: string) =>
    act(async (output) => (await load()).taskResume(id, output)),
  )
  addPlain('stop', 'end it', 'task.stop')
  addPlain(
    'take-over',
    'make it wait: what you do in the live view or with `vm click`, `vm type` and `vm key` is recorded',
    'task.takeOver',
  )
  add('hand-back', 'let it go on, knowing what you did and what has changed')
    .option('--say <text>', 'a word of guidance with it')
    .action((id: string, { say }: { say?: string }) =>
      act(async (output) => (await load()).taskHandBack(id, say, output)),
    )
  add('declare', 'end a task that you did by hand')
    .argument('<summary>', 'what is done, in your own words')
    .option('--failed', 'it could not be done')
    .option('--checks <file>', 'assertions (JSON) that must hold, else the task goes on')
    .action((id: string, summary: string, options: DeclareOptions) =>
      act(async (output) => (await load()).taskDeclare(id, summary, options, output)),
    )
  add('guide', 'tell it something before its next turn')
    .argument('<text>', 'in your own words')
    .action((id: string, text: string) => act(async (output) => (await load()).taskSay('task.guide', id, text, output)))
  add('answer', 'answer its question')
    .argument('<text>', 'the answer')
    .action((id: string, text: string) =>
      act(async (output) => (await load()).taskSay('task.answer', id, text, output)),
    )
  add('checkpoint', 'keep its machine as it is now, memory and disk, to go back to or on from')
    .argument('[label]', 'a name for it')
    .action((id: string, label: string | undefined) =>
      act(async (output) => (await load()).taskCheckpoint(id, label, output)),
    )
  add('rollback', 'put its machine back to a checkpoint; the agent is told')
    .argument('<to>', 'label or id of a snapshot of this task')
    .action((id: string, to: string) => act(async (output) => (await load()).taskRollback(id, to, output)))
  add('approve', 'say whether it may do what it asks leave for')
    .addArgument(new Argument('[answer]').choices(['allow', 'allow-all', 'deny']).default('allow'))
    .action((id: string, answer: string) =>
      act(async (output) => (await load()).taskApprove(id, answers[answer] ?? 'deny', output)),
    )
}

const answers: Record<string, ApprovalAnswer> = { allow: 'allow', 'allow-all': 'allow_all', deny: 'deny' }
