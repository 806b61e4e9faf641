import { z } from 'zod'
import { Approval, type PlannerChoice, type RunTaskInput, Script } from '../../main/contract/task.ts'

/** What is in the composer. Kept in the browser, so that a reload loses no words. */
export const Draft = z.object({
  goal: z.string().default(''),
  image: z.enum(['desktop', 'minimal']).default('desktop'),
  planner: z.enum(['anthropic', 'openai', 'local', 'script']).default('anthropic'),
  model: z.string().default(''), // of Claude; the names of one provider mean nothing to another
  openaiModel: z.string().default(''),
  localModel: z.string().default(''),
  localAddress: z.string().default('http://localhost:11434/v1'), // where Ollama listens unless told otherwise
  approval: Approval.or(z.literal('usual')).default('usual'),
  maxSteps: z.string().default('100'),
  maxMinutes: z.string().default('60'),
  keepMachine: z.boolean().default(false),
  script: z.object({ name: z.string(), script: Script }).nullable().default(null),
})
export type Draft = z.infer<typeof Draft>

export const emptyDraft: Draft = Draft.parse({})

/** What is sent; null while something is still missing. */
export function taskOf(draft: Draft): RunTaskInput | null {
  const goal = draft.goal.trim() || (draft.planner === 'script' ? draft.script?.script.goal.trim() : '')
  const planner = plannerOf(draft)
  if (!goal || !planner) return null
  return {
    goal,
    image: draft.image,
    planner,
    budget: { maxSteps: Number(draft.maxSteps), maxMinutes: Number(draft.maxMinutes) },
    keepMachine: draft.keepMachine,
    ...(draft.approval === 'usual' ? {} : { approval: draft.approval }),
  }
}

function plannerOf(draft: Draft): PlannerChoice | null {
  switch (draft.planner) {
    case 'anthropic':
      return { kind: 'anthropic', ...named(draft.model) }
    case 'openai':
      return { kind: 'openai', ...named(draft.openaiModel) }
    case 'local': {
      const address = z.url().safeParse(draft.localAddress.trim())
      const model = draft.localModel.trim()
      return address.success && model ? { kind: 'local', baseUrl: address.data, model } : null
    }
    case 'script':
      return draft.script && { kind: 'script', script: draft.script.script }
  }
}

const named = (model: string) => (model.trim() ? { model: model.trim() } : {})

/** Reads a script from a file's text; throws a ZodError or SyntaxError that says what is wrong with it. */
export function parseScript(json: string): Script {
  return Script.parse(JSON.parse(json))
}
