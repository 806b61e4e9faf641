import { TaskState } from '../../main/contract/task.ts'
import type { TraceQueryInput } from '../../main/contract/trace.ts'

export const sinces = ['all', 'day', 'week', 'month'] as const
export type Since = (typeof sinces)[number]
export type Filters = { words: string; state: TaskState | ''; planner: string; tag: string; app: string; since: Since }

export const noFilters: Filters = { words: '', state: '', planner: '', tag: '', app: '', since: 'all' }

/** What an address narrows the library down to. What makes no sense there is left out. */
export function filtersIn(search: string): { filters?: Partial<Filters> } {
  const query = new URLSearchParams(search)
  const state = TaskState.safeParse(query.get('state')).data
  const since = sinces.find((one) => one === query.get('since') && one !== 'all')
  const [words, planner, tag, app] = ['q', 'by', 'tag', 'app'].map((name) => query.get(name))
  const filters = {
    ...(words && { words }),
    ...(state && { state }),
    ...(planner && { planner }),
    ...(tag && { tag }),
    ...(app && { app }),
    ...(since && { since }),
  }
  return Object.keys(filters).length > 0 ? { filters } : {}
}

export function filtersOut({ words, state, planner, tag, app, since }: Partial<Filters> = {}) {
  const parts = { q: words, state, by: planner, tag, app, since: since === 'all' ? '' : since }
  return Object.fromEntries(Object.entries(parts).map(([name, value]) => [name, value ?? null]))
}

const days: Record<Exclude<Since, 'all'>, number> = { day: 1, week: 7, month: 30 }
const dayMs = 24 * 60 * 60 * 1000

export const isFiltered = ({ words, state, planner, tag, app, since }: Filters): boolean =>
  [words.trim(), state, planner, tag, app].some((each) => each !== '') || since !== 'all'

export function queryOf({ words, state, planner, tag, app, since }: Filters, now: number): TraceQueryInput {
  return {
    ...(words.trim() && { text: words.trim() }),
    ...(state && { states: [state] }),
    ...(planner && { planner }),
    ...(tag && { tag }),
    ...(app && { app }),
    ...(since !== 'all' && { from: new Date(now - days[since] * dayMs).toISOString() }),
  }
}

/** The found words stand between « and »; split there, so that they can be marked. */
export function marked(found: string): { text: string; hit: boolean }[] {
  return found
    .split(/(«[^»]*»)/)
    .filter((part) => part !== '')
    .map((part) =>
      part.startsWith('«') && part.endsWith('»') ? { text: part.slice(1, -1), hit: true } : { text: part, hit: false },
    )
}
