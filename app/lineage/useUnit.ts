import { useSyncExternalStore } from 'react'

/** How much larger than usual everything is drawn: the page's letters grow on very wide screens, and the tree with them. */
export const useUnit = (): number => useSyncExternalStore(onResize, unit)

const unit = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16

function onResize(changed: () => void): () => void {
  window.addEventListener('resize', changed)
  return () => window.removeEventListener('resize', changed)
}
