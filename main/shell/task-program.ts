import { Argument, type Command } from 'commander'
import type { ApprovalAnswer } from '../contract/task.ts'
import type { PlainMethod } from './commands/task.ts'
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
    'make it wait: what you do with `vm click`, `vm type` and `vm key` is recorded',
    'task.takeOver',
  )
  addPlain('hand-back', 'let it go on, knowing what you did', 'task.handBack')
  add('guide', 'tell it something before its next turn')
    .argument('<text>', 'in your own words')
    .action((id: string, text: string) => act(async (output) => (await load()).taskSay('task.guide', id, text, output)))
  add('answer', 'answer its question')
    .argument('<text>', 'the answer')
    .action((id: string, text: string) =>
      act(async (output) => (await load()).taskSay('task.answer', id, text, output)),
    )
  add('approve', 'say whether it may do what it asks leave for')
    .addArgument(new Argument('[answer]').choices(['allow', 'allow-all', 'deny']).default('allow'))
    .action((id: string, answer: string) =>
      act(async (output) => (await load()).taskApprove(id, answers[answer] ?? 'deny', output)),
    )
}

const answers: Record<string, ApprovalAnswer> = { allow: 'allow', 'allow-all': 'allow_all', deny: 'deny' }
