import { Example } from '../../contract/example.ts'
import { Script, type ScriptInput } from '../../contract/task.ts'

/** A slow computer may take its time. */
const PATIENCE = 90

export function example(about: { id: string; title: string; detail: string }, script: ScriptInput): Example {
  const steps = script.steps.map((step) => ({ timeoutSeconds: PATIENCE, ...step }))
  const parsed = Script.parse({ ...script, steps, finishTimeoutSeconds: PATIENCE })
  const branches = parsed.steps.some((step) => step.do.some(({ type }) => type === 'branch'))
  return Example.parse({ ...about, branches, script: parsed })
}
