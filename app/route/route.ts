/** Where the person is. The address holds all of it, so that a reload comes back to the same place. */
export type Route =
  | { screen: 'home' }
  | { screen: 'task'; taskId: string; step: number | null } // step: the one opened in the inspector
  | { screen: 'machines' }
  | { screen: 'machine'; machineId: string }
  | { screen: 'time'; taskId: string | null; snapshotId: string | null } // one task's line or all; the moment chosen
  | { screen: 'library' }
  | { screen: 'settings' }
  | { screen: 'doctor' }
  | { screen: 'unknown'; path: string }

export function parseRoute(path: string, search = ''): Route {
  const parts = path.split('/').filter(Boolean).map(decode)
  const [head, id] = parts
  if (parts.length === 0) return { screen: 'home' }
  if (parts.length === 1 && head === 'machines') return { screen: 'machines' }
  if (parts.length === 1 && head === 'time') return { screen: 'time', ...momentOf(search) }
  if (parts.length === 1 && head === 'library') return { screen: 'library' }
  if (parts.length === 1 && head === 'settings') return { screen: 'settings' }
  if (parts.length === 1 && head === 'diagnostics') return { screen: 'doctor' }
  if (parts.length === 2 && id && head === 'machines') return { screen: 'machine', machineId: id }
  if (parts.length === 2 && id && head === 'tasks') return { screen: 'task', taskId: id, step: stepOf(search) }
  return { screen: 'unknown', path }
}

export function pathOf(route: Route): string {
  switch (route.screen) {
    case 'home':
      return '/'
    case 'task':
      // People count from one, the trace from zero.
      return `/tasks/${encodeURIComponent(route.taskId)}${route.step === null ? '' : `?step=${route.step + 1}`}`
    case 'machines':
      return '/machines'
    case 'machine':
      return `/machines/${encodeURIComponent(route.machineId)}`
    case 'time':
      return `/time${queryOf({ task: route.taskId, at: route.snapshotId })}`
    case 'library':
      return '/library'
    case 'settings':
      return '/settings'
    case 'doctor':
      return '/diagnostics'
    case 'unknown':
      return route.path
  }
}

function stepOf(search: string): number | null {
  const step = new URLSearchParams(search).get('step')
  return step !== null && /^[1-9]\d{0,5}$/.test(step) ? Number(step) - 1 : null
}

function momentOf(search: string) {
  const query = new URLSearchParams(search)
  return { taskId: query.get('task') || null, snapshotId: query.get('at') || null }
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
