import { useMemo, useSyncExternalStore } from 'react'
import { parseRoute, pathOf, type Route } from './route.ts'

const listeners = new Set<() => void>()
const tell = () => {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener('popstate', tell)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) window.removeEventListener('popstate', tell)
  }
}

export function navigate(route: Route, { replace = false } = {}): void {
  const path = pathOf(route)
  if (replace) window.history.replaceState(null, '', path)
  else if (path !== window.location.pathname + window.location.search) window.history.pushState(null, '', path)
  tell()
}

export function useRoute(): Route {
  const address = useSyncExternalStore(subscribe, () => window.location.pathname + window.location.search)
  return useMemo(() => {
    const [path = '/', search = ''] = address.split('?')
    return parseRoute(path, search)
  }, [address])
}
