import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describeAct } from '../../contract/action.ts'
import type { Client } from '../../contract/client.ts'
import { GodHandError } from '../../contract/errors.ts'
import type { EngineEvent } from '../../contract/rpc.ts'
import { type RunTaskInput, Script, type Task } from '../../contract/task.ts'
import { withEngine } from '../command-context.ts'
import { exitCodeOfTask, exitCodes } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import { stepText, taskText } from '../trace-text.ts'

export type RunOptions = {
  demo?: boolean
  script?: string
  example?: string // id of one of the gallery
  attach?: string[] // files of this host
  model?: string
  image?: string
  from?: string // id of a snapshot
  losers?: 'drop' | 'files' | 'keep'
  recover?: number
  keep?: boolean
  allow?: string[]
  byHand?: boolean
  domains?: string[]
  paths?: string[]
  replay?: string // id of a trace
  set?: string[] // of a replay: recorded=value
  ask?: boolean // of a replay: where the screen no longer agrees
  approval?: 'always' | 'risky' | 'never'
  provider?: 'anthropic' | 'openai'
  server?: string // address of a local model server
  maxSteps?: number
  maxMinutes?: number
}

type PlannerWish = RunTaskInput['planner']

const DEMO_GOAL = 'Show me what you can do'
const finished = (task: Task) => !['queued', 'preparing', 'running'].includes(task.state)

export async function run(goal: string | undefined, options: RunOptions, output: Output): Promise<number> {
  const planner = await choosePlanner(goal, options)
  return watchTask(output, async (client) => {
    const wish = wishFor(goal, planner ?? (await exampleOf(client, options.example)), options)
    const attached: string[] = []
    for (const file of options.attach ?? [])
      attached.push((await client.call('file.attach', { file: path.resolve(file) })).id)
    return client.call('task.run', { ...wish, attached })
  })
}

/** Follows a task to its end and shows the steps as they come. Ctrl-C stops the task; twice leaves it alone. */
export async function watchTask(
  output: Output,
  begin: (client: Client) => Promise<Task>,
  endText: (task: Task) => string = taskText,
): Promise<number> {
  const end = Promise.withResolvers<Task>()
  let task: Task | undefined
  let shown = 0
  const early: EngineEvent[] = [] // what comes before the task's id is known

  const onEvent = (event: EngineEvent) => {
    if (!task) return void early.push(event)
    if (event.type === 'task' && event.task.id === task.id) {
      if (finished(event.task)) end.resolve(event.task)
      else sayWhatIsAwaited(event.task)
    }
    if (event.type !== 'step' || event.step.taskId !== task.id || event.step.index < shown) return
    shown = event.step.index + 1
    output.line(stepText(event.step))
  }
  let awaited = ''
  const sayWhatIsAwaited = ({ id, waitingFor }: Task) => {
    const words = waitingFor ? awaitedText(id, waitingFor) : ''
    if (words && words !== awaited) output.note(words)
    awaited = words
  }
  const onClosed = () =>
    end.reject(
      new GodHandError('engine_unreachable', 'The engine ended before the task did.', {
        hint: 'What was recorded is kept: see `npx godhand trace list`.',
      }),
    )

  return await withEngine(output, { machines: true, onEvent, onClosed }, async ({ client }) => {
    // From before the task exists, so that no Ctrl-C falls between its start and the first step.
    let interrupted = false
    const stopTask = () => {
      if (!task) return // stopped as soon as its id is known
      const stopped = client.call('task.stop', { taskId: task.id })
      stopped.then((last) => finished(last) && end.resolve(last), end.reject)
    }
    const onInterrupt = () => {
      if (interrupted) process.exit(exitCodes.stopped)
      interrupted = true
      output.note('\nStopping the task…')
      stopTask()
    }
    process.on('SIGINT', onInterrupt).on('SIGTERM', onInterrupt)
    try {
      task = await begin(client)
      output.line(`Task ${task.id}: ${task.goal}`)
      if (task.planner === 'human')
        output.note(
          `Open the app (npx godhand open) and do it. Then: npx godhand task declare ${task.id} "what is done"`,
        )
      for (const event of early.splice(0)) onEvent(event)
      if (finished(task)) end.resolve(task)
      if (interrupted) stopTask()
      const last = await end.promise
      output.answer({ traceId: last.id, ...last }, endText(last))
      return exitCodeOfTask(last.state)
    } finally {
      process.off('SIGINT', onInterrupt).off('SIGTERM', onInterrupt)
    }
  })
}

function awaitedText(id: string, waitingFor: NonNullable<Task['waitingFor']>): string {
  if (waitingFor.kind === 'question')
    return `The agent asks: ${waitingFor.text}\nAnswer it from another terminal: npx godhand task answer ${id} "…"`
  const acts = waitingFor.acts.map(describeAct).join('; ')
  const why = waitingFor.risks.map((risk) => risk.why).join(' ')
  return `The agent wants to: ${acts}. ${why}\nDecide from another terminal: npx godhand task approve ${id} allow|allow_all|deny`
}

function usualGoal(planner: PlannerWish): string {
  if (planner.kind === 'script') return planner.script.goal
  return planner.kind === 'replay' ? `Do ${planner.taskId} again` : DEMO_GOAL
}

function wishFor(goal: string | undefined, planner: PlannerWish, options: RunOptions): RunTaskInput {
  return {
    goal: goal ?? usualGoal(planner),
    planner,
    ...(options.image === undefined ? {} : { image: options.image }),
    ...(options.from === undefined ? {} : { fromSnapshot: options.from }),
    ...(options.losers === undefined ? {} : { branching: { losers: options.losers } }),
    ...(options.recover === undefined ? {} : { recovery: { times: options.recover } }),
    keepMachine: options.keep ?? false,
    allow: options.allow ?? [],
    scope: {
      ...(options.domains === undefined ? {} : { domains: options.domains }),
      ...(options.paths === undefined ? {} : { paths: options.paths }),
    },
    ...(options.approval === undefined ? {} : { approval: options.approval }),
    budget: {
      ...(options.maxSteps === undefined ? {} : { maxSteps: options.maxSteps }),
      ...(options.maxMinutes === undefined ? {} : { maxMinutes: options.maxMinutes }),
    },
  }
}

async function exampleOf(client: Client, id: string | undefined): Promise<PlannerWish> {
  const examples = await client.call('example.list', {})
  const found = examples.find((example) => example.id === id)
  if (found) return { kind: 'script', script: found.script }
  throw new GodHandError('not_found', `There is no example called ${id}.`, {
    hint: `There are: ${examples.map((example) => example.id).join(', ')}`,
  })
}

/** Null: one of the engine's examples, which is only known once it is asked. */
async function choosePlanner(goal: string | undefined, options: RunOptions): Promise<PlannerWish | null> {
  if (options.demo) return { kind: 'demo' }
  if (options.example !== undefined) return null
  if (options.script !== undefined) return { kind: 'script', script: await readScript(options.script) }
  if (options.replay !== undefined) return replayWish(options.replay, options)
  if (goal === undefined)
    throw new GodHandError('bad_request', 'There is no goal.', {
      hint: 'Say what is to be done: npx godhand run "open the editor and write a haiku", or run the demo: npx godhand run --demo',
    })
  if (options.byHand) return { kind: 'human' }
  if (options.server !== undefined) {
    if (options.model === undefined)
      throw new GodHandError('bad_request', 'A local server needs --model: the name it knows the model by.')
    return { kind: 'local', baseUrl: options.server, model: options.model }
  }
  return { kind: options.provider ?? 'anthropic', ...(options.model === undefined ? {} : { model: options.model }) }
}

async function readScript(file: string): Promise<Script> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new GodHandError('bad_request', `The script ${file} can't be read.`, { cause })
  })
  try {
    return Script.parse(JSON.parse(text))
  } catch (cause) {
    throw new GodHandError('bad_request', `The script ${file} is not valid: ${GodHandError.from(cause).message}`, {
      cause,
    })
  }
}

function replayWish(taskId: string, { set = [], ask = false }: RunOptions): PlannerWish {
  const variables = set.map((text) => {
    const at = text.indexOf('=')
    if (at < 1) throw new GodHandError('bad_request', `“${text}” is not recorded=value.`)
    return { recorded: text.slice(0, at), value: text.slice(at + 1) }
  })
  return { kind: 'replay', taskId, variables, disagreement: ask ? 'ask' : 'stop' }
}
