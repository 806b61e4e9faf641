import { type RefObject, useEffect, useState } from 'react'

/** One observer for all rows: a thousand of their own would cost more than they save. */
const waiting = new WeakMap<Element, () => void>()
let observer: IntersectionObserver | undefined

function watch(element: Element, onNear: () => void): () => void {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const entry of entries) if (entry.isIntersecting) waiting.get(entry.target)?.()
    },
    { rootMargin: '600px' },
  )
  waiting.set(element, onNear)
  observer.observe(element)
  return () => {
    waiting.delete(element)
    observer?.unobserve(element)
  }
}

/** True from when the element first comes near the visible part of the page. */
export function useNearby(place: RefObject<Element | null>, atOnce: boolean): boolean {
  const [near, setNear] = useState(atOnce)
  useEffect(() => {
    if (!near && place.current) return watch(place.current, () => setNear(true))
  }, [near, place])
  return near
}
