import { z } from 'zod'
import type { Point, Region } from '../../../contract/action.ts'
import { Assertion } from '../../../contract/assertion.ts'
import { ModelChoice } from '../../../contract/model.ts'
import type { Meaning } from './call.ts'
import { replaceOnce } from './edits.ts'
import { inputSchemaOf, type ObjectSchema } from './json-schema.ts'

/** GodHand's own tools, the same for every model that can call tools. */
export type OwnTool = {
  name: string
  description: string
  schema: ObjectSchema
  /** `toNative` brings what the model saw into pixels of the real screen. */
  read(input: unknown, toNative: ToNative): Meaning
}

export type ToNative = (point: Point) => Point

function tool<S extends z.ZodType>(
  name: string,
  description: string,
  input: S,
  meaning: (input: z.output<S>, toNative: ToNative) => Meaning,
): OwnTool {
  return {
    name,
    description,
    schema: inputSchemaOf(input),
    read: (given, toNative) => {
      const parsed = input.safeParse(given)
      return parsed.success ? meaning(parsed.data, toNative) : wrongInput(name, parsed.error)
    },
  }
}

export function wrongInput(name: string, error: z.ZodError): Meaning {
  return { kind: 'wrong', problem: `The input of ${name} is not right: ${z.prettifyError(error)}` }
}

const seconds = (usual: number) => z.number().min(0).max(600).default(usual)
const plan = z.string().min(1).max(5000)
const path = z.string().min(1).max(4096).describe('absolute path in the guest')

/** Proof and people: beside every kind of computer tool. */
export const leadingTools: OwnTool[] = [
  tool(
    'assert',
    'State what should be true now. GodHand checks it on the machine itself and tells you what it found. Put it after the actions whose effect you expect, in the same turn.',
    z.object({ assertion: Assertion, timeout_seconds: seconds(10) }),
    (input, toNative) => ({
      kind: 'check',
      assertion: inNativePixels(input.assertion, toNative),
      timeoutMs: input.timeout_seconds * 1000,
    }),
  ),
  tool(
    'wait_for',
    'Wait until something is true, at most timeout_seconds. Better than waiting a fixed time.',
    z.object({ assertion: Assertion, timeout_seconds: seconds(60) }),
    (input, toNative) => ({
      kind: 'check',
      assertion: inNativePixels(input.assertion, toNative),
      timeoutMs: input.timeout_seconds * 1000,
    }),
  ),
  tool(
    'expect',
    'Say in words what should be so after your actions, where no assertion can say it. What you put in “quotes” is looked for on the screen; the rest is not checked, and you are told so.',
    z.object({ words: z.string().min(1).max(2000) }),
    ({ words }) => ({ kind: 'expect', words }),
  ),
  tool(
    'finish',
    'The task is done. Name checks that prove it: they are run on the machine, and if one does not hold the task goes on. Prefer checks of state (files, processes, command output) to checks of what is on the screen.',
    z.object({
      summary: z.string().min(1).max(5000),
      checks: z.array(Assertion).min(1).max(20),
      timeout_seconds: seconds(10),
    }),
    (input, toNative) => ({
      kind: 'finish',
      summary: input.summary,
      checks: input.checks.map((check) => inNativePixels(check, toNative)),
      timeoutMs: input.timeout_seconds * 1000,
    }),
  ),
  tool(
    'checkpoint',
    'Keep the whole machine as it is now, memory and disk, under a label you can roll back to.',
    z.object({ label: z.string().min(1).max(200) }),
    ({ label }) => ({ kind: 'act', act: { type: 'checkpoint', label } }),
  ),
  tool(
    'rollback',
    'Put the whole machine back to a checkpoint: everything done since then is undone, windows and files alike. You keep your memory of it.',
    z.object({ to: z.string().min(1).max(200).describe('label or id of a checkpoint'), why: z.string().max(2000) }),
    ({ to, why }) => ({ kind: 'act', act: { type: 'rollback', to, why } }),
  ),
  tool(
    'branch',
    'Try several ways at once, each on its own copy of the running machine. For decisions where you cannot know beforehand which way works. Each copy of you goes on with one plan and ends it with finish or give_up; then the ways are judged on evidence, and you go on from the machine of the winner.',
    z.object({
      plans: z
        .array(z.union([plan, z.object({ plan, planner: ModelChoice })]))
        .min(2)
        .max(16)
        .describe('a plan in words; with planner, another model follows it, knowing the task and the plan only'),
      checks: z.array(Assertion).max(20).default([]).describe('what every way must lead to'),
      max_steps: z.number().int().min(1).max(1000).default(30),
      max_seconds: z.number().min(1).max(7200).default(600),
    }),
    ({ plans, checks, max_steps, max_seconds }, toNative) => ({
      kind: 'act',
      act: {
        type: 'branch',
        options: plans.map((one) => (typeof one === 'string' ? { plan: one } : one)),
        checks: checks.map((check) => inNativePixels(check, toNative)),
        limits: { maxSteps: max_steps, maxSeconds: max_seconds },
      },
    }),
  ),
  tool(
    'ask_person',
    'Ask the person something only they can know or decide. They may take a while to answer.',
    z.object({ question: z.string().min(1).max(5000) }),
    ({ question }) => ({ kind: 'ask', question }),
  ),
  tool(
    'give_up',
    'The task cannot be done. Say why, and what was left in which state.',
    z.object({ reason: z.string().min(1).max(5000) }),
    ({ reason }) => ({ kind: 'give_up', reason }),
  ),
]

/** Commands and files, for models that bring no tools of their own for them. */
export const guestTools: OwnTool[] = [
  tool(
    'exec',
    'Run a shell command in the guest. Each one gets a shell of its own.',
    z.object({ command: z.string().min(1).max(100_000), timeout_seconds: z.number().min(0.1).max(3600).default(60) }),
    ({ command, timeout_seconds }) => ({
      kind: 'act',
      act: { type: 'exec', command, timeoutSeconds: timeout_seconds },
    }),
  ),
  tool('read_file', 'Read a text file in the guest, or list a folder.', z.object({ path }), (input) => ({
    kind: 'view',
    path: input.path,
  })),
  tool(
    'write_file',
    'Write a text file in the guest, replacing what was there.',
    z.object({ path, text: z.string().max(10_000_000) }),
    (input) => ({ kind: 'act', act: { type: 'write_file', ...input } }),
  ),
  tool(
    'edit_file',
    'Change a text file in the guest: replace the one place where old_text stands.',
    z.object({ path, old_text: z.string().min(1), new_text: z.string() }),
    (input) => ({ kind: 'edit', path: input.path, change: replaceOnce(input.old_text, input.new_text) }),
  ),
]

/** Regions in what a model states are in the pixels it was shown. */
export function inNativePixels(assertion: Assertion, toNative: ToNative): Assertion {
  if (assertion.check === 'not') return { ...assertion, of: inNativePixels(assertion.of, toNative) }
  if (assertion.check === 'all' || assertion.check === 'any')
    return { ...assertion, of: assertion.of.map((part) => inNativePixels(part, toNative)) }
  if (!('region' in assertion) || assertion.region === undefined) return assertion
  return { ...assertion, region: nativeRegion(assertion.region, toNative) }
}

export function nativeRegion({ x, y, width, height }: Region, toNative: ToNative): Region {
  const from = toNative({ x, y })
  const to = toNative({ x: x + width - 1, y: y + height - 1 })
  return { x: from.x, y: from.y, width: to.x - from.x + 1, height: to.y - from.y + 1 }
}
