import { JudgeRules } from '../contract/branching.ts'
import type { RunTask } from '../contract/task.ts'
import { json } from '../trace/columns.ts'
import type { Store } from '../trace/store.ts'

const RULES = 'judge_rules'

/** The person's own rules for judging branches. A task keeps those it began with: its trace says how it was judged. */
export class JudgeRulesKeeper {
  readonly #meta: Store['meta']

  constructor({ meta }: Store) {
    this.#meta = meta
  }

  get(): JudgeRules {
    return json(JudgeRules).safeParse(this.#meta.get(RULES) ?? '').data ?? JudgeRules.parse({})
  }

  set(rules: JudgeRules): JudgeRules {
    this.#meta.set(RULES, JSON.stringify(rules))
    return this.get()
  }

  into(request: RunTask): RunTask {
    const { branching } = request
    return { ...request, branching: { ...branching, rules: branching.rules ?? this.get() } }
  }
}
