import { type Filters, filtersIn, filtersOut } from '../library/filters.ts'

/** Where the person is. The address holds all of it, so that a reload comes back to the same place. */
export type Route =
  | { screen: 'home'; goal?: string } // goal: words to begin with, from a link; never run by itself
  | { screen: 'welcome' }
  | { screen: 'task'; taskId: string; step: number | null; panel?: Panel } // step: the one opened in the inspector
  | { screen: 'machines' }
  | { screen: 'machine'; machineId: string; panel?: Panel }
  /** One task's line or all; the moment chosen, and another it is compared with. */
  | { screen: 'time'; taskId: string | null; snapshotId: string | null; against?: string }
  | { screen: 'library'; filters?: Partial<Filters> } // filters: what it is narrowed down to
  /** Two traces; without the second, one is to be chosen. `row`: the one looked at closer, counted from zero. */
  | { screen: 'compare'; a: string; b: string | null; only?: 'differences'; row?: number }
  | { screen: 'benchmarks'; run: string | null } // run: the one whose figures are open
  | { screen: 'settings'; section: SettingsSection }
  | { screen: 'doctor' }
  | { screen: 'unknown'; path: string }

/** What is open beside a desktop. */
export const panels = ['terminal', 'files'] as const
export type Panel = (typeof panels)[number]

export const settingsSections = [
  'models',
  'machine',
  'network',
  'storage',
  'approvals',
  'secrets',
  'budget',
  'appearance',
  'updates',
] as const
export type SettingsSection = (typeof settingsSections)[number]

const longestGoal = 20_000

export function parseRoute(path: string, search = ''): Route {
  const parts = path.split('/').filter(Boolean).map(decode)
  const [head, id] = parts
  if (parts.length === 0) return { screen: 'home', ...goalOf(search) }
  if (parts.length === 1 && head === 'welcome') return { screen: 'welcome' }
  if (parts.length === 1 && head === 'machines') return { screen: 'machines' }
  if (parts.length === 1 && head === 'time') return { screen: 'time', ...momentOf(search) }
  if (parts.length === 1 && head === 'library') return { screen: 'library', ...filtersIn(search) }
  if (parts.length === 1 && head === 'compare') return compareOf(path, search)
  if (parts.length === 1 && head === 'benchmarks') return { screen: 'benchmarks', run: runOf(search) }
  if (parts.length <= 2 && head === 'settings') {
    const section = settingsSections.find((name) => name === (id ?? 'models'))
    if (section) return { screen: 'settings', section }
  }
  if (parts.length === 1 && head === 'diagnostics') return { screen: 'doctor' }
  if (parts.length === 2 && id && head === 'machines') return { screen: 'machine', machineId: id, ...panelOf(search) }
  if (parts.length === 2 && id && head === 'tasks')
    return { screen: 'task', taskId: id, step: stepOf(search), ...panelOf(search) }
  return { screen: 'unknown', path }
}

export function pathOf(route: Route): string {
  switch (route.screen) {
    case 'home':
      return `/${queryOf({ goal: route.goal ?? null })}`
    case 'welcome':
      return '/welcome'
    case 'task':
      // People count from one, the trace from zero.
      return `/tasks/${encodeURIComponent(route.taskId)}${queryOf({ step: route.step === null ? null : String(route.step + 1), panel: route.panel ?? null })}`
    case 'machines':
      return '/machines'
    case 'machine':
      return `/machines/${encodeURIComponent(route.machineId)}${queryOf({ panel: route.panel ?? null })}`
    case 'time':
      return `/time${queryOf({ task: route.taskId, at: route.snapshotId, with: route.against ?? null })}`
    case 'library':
      return `/library${queryOf(filtersOut(route.filters))}`
    case 'compare':
      return `/compare${queryOf({ a: route.a, b: route.b, only: route.only ?? null, row: route.row === undefined ? null : String(route.row + 1) })}`
    case 'benchmarks':
      return `/benchmarks${queryOf({ run: route.run })}`
    case 'settings':
      return `/settings/${route.section}`
    case 'doctor':
      return '/diagnostics'
    case 'unknown':
      return route.path
  }
}

/** People count from one. */
function placeOf(search: string, name: string): number | null {
  const place = new URLSearchParams(search).get(name)
  return place !== null && /^[1-9]\d{0,5}$/.test(place) ? Number(place) - 1 : null
}

const stepOf = (search: string) => placeOf(search, 'step')

function compareOf(path: string, search: string): Route {
  const query = new URLSearchParams(search)
  const a = query.get('a')
  if (!a) return { screen: 'unknown', path }
  const row = placeOf(search, 'row')
  return {
    screen: 'compare',
    a,
    b: query.get('b') || null,
    ...(query.get('only') === 'differences' && { only: 'differences' }),
    ...(row !== null && { row }),
  }
}

const runOf = (search: string): string | null => new URLSearchParams(search).get('run') || null

function goalOf(search: string): { goal?: string } {
  const goal = new URLSearchParams(search).get('goal')?.trim().slice(0, longestGoal)
  return goal ? { goal } : {}
}

function panelOf(search: string): { panel?: Panel } {
  const panel = panels.find((name) => name === new URLSearchParams(search).get('panel'))
  return panel ? { panel } : {}
}

function momentOf(search: string) {
  const query = new URLSearchParams(search)
  const against = query.get('with')
  return { taskId: query.get('task') || null, snapshotId: query.get('at') || null, ...(against && { against }) }
}

function queryOf(parts: Record<string, string | null>): string {
  const query = new URLSearchParams(Object.entries(parts).flatMap(([key, value]) => (value ? [[key, value]] : [])))
  return query.size > 0 ? `?${query}` : ''
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
