import { useEffect } from 'react'

type Scrub = {
  enabled: boolean
  position: number | null // null is the present, past the last step
  count: number
  onMove: (position: number | null) => void
}

/** The position that a key leads to; undefined when it is not a key for this. */
export function scrubTo(key: string, position: number | null, count: number): number | null | undefined {
  if (count === 0) return undefined
  const at = position ?? count
  switch (key) {
    case 'ArrowLeft':
      return Math.max(0, at - 1)
    case 'ArrowRight':
      return at + 1 >= count ? null : at + 1
    case 'Home':
      return 0
    case 'End':
    case 'Escape':
      return null
    default:
      return undefined
  }
}

/** Arrow keys travel through the steps, wherever on the page the focus is, unless something there wants them itself. */
export function useScrubKeys({ enabled, position, count, onMove }: Scrub): void {
  useEffect(() => {
    if (!enabled) return
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return
      if (event.target instanceof Element && event.target.closest('input, textarea, select, canvas, dialog')) return
      const next = scrubTo(event.key, position, count)
      if (next === undefined) return
      event.preventDefault()
      onMove(next)
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [enabled, position, count, onMove])
}
