import { z } from 'zod'
import { Attachment } from '../../main/contract/attachment.ts'
import { Approval, type PlannerChoice, type RunTaskInput, type Scope, Script } from '../../main/contract/task.ts'

/** What is in the composer. Kept in the browser, so that a reload loses no words. */
export const Draft = z.object({
  goal: z.string().default(''),
  image: z.string().default('desktop'),
  planner: z.enum(['anthropic', 'openai', 'local', 'script', 'human']).default('anthropic'),
  model: z.string().default(''), // of Claude; the names of one provider mean nothing to another
  openaiModel: z.string().default(''),
  localModel: z.string().default(''),
  localAddress: z.string().default('http://localhost:11434/v1'), // where Ollama listens unless told otherwise
  approval: Approval.or(z.literal('usual')).default('usual'),
  maxSteps: z.string().default('100'),
  maxMinutes: z.string().default('60'),
  maxUsd: z.string().default(''), // empty: no limit
  allow: z.string().nullable().default(null), // as it was typed; null: as in the settings
  domains: z.string().default(''),
  paths: z.string().default(''),
  attached: z.array(Attachment).default([]),
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
    budget: {
      maxSteps: Number(draft.maxSteps),
      maxMinutes: Number(draft.maxMinutes),
      ...(Number(draft.maxUsd) > 0 ? { maxUsd: Number(draft.maxUsd) } : {}),
    },
    allow: sitesOf(draft.allow ?? ''),
    scope: scopeOf(draft),
    attached: draft.attached.map(({ id }) => id),
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
    case 'human':
      return { kind: 'human' }
    case 'script':
      return draft.script && { kind: 'script', script: draft.script.script }
  }
}

/** One after the other, parted by spaces, commas or lines; addresses pasted whole give their host. */
export function sitesOf(typed: string): string[] {
  const sites = typed
    .split(/[\s,;]+/)
    .map((site) => site.replace(/^https?:\/\//, '').replace(/\/.*$/, ''))
    .filter(Boolean)
  return [...new Set(sites)]
}

/** What is left empty is open. */
function scopeOf(draft: Draft): Scope {
  const domains = sitesOf(draft.domains)
  const paths = draft.paths.split(/[\s,;]+/).filter((folder) => /^[/~]/.test(folder))
  return { ...(domains.length > 0 ? { domains } : {}), ...(paths.length > 0 ? { paths } : {}) }
}

const named = (model: string) => (model.trim() ? { model: model.trim() } : {})

/** Reads a script from a file's text; throws a ZodError or SyntaxError that says what is wrong with it. */
export function parseScript(json: string): Script {
  return Script.parse(JSON.parse(json))
}
