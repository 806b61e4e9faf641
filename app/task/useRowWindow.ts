import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { type RowWindow, rowWindow, spanOf } from './row-window.ts'

const usualHeight = 150
const margin = 700

/**
 * Keeps a thousand rows as light as twenty: only those near the visible part are in the page. `measure` is given to each
 * row as its ref, and `update` is called when the list is scrolled.
 */
export function useRowWindow(place: RefObject<HTMLElement | null>, count: number) {
  const heights = useRef(new Map<number, number>())
  const [shown, setShown] = useState<RowWindow>(() =>
    rowWindow(count, heights.current, usualHeight, { top: 0, height: 800 }, margin),
  )
  const update = useCallback(() => {
    const element = place.current
    if (!element) return
    const view = { top: element.scrollTop, height: element.clientHeight }
    const next = rowWindow(count, heights.current, usualHeight, view, margin)
    setShown((old) => (isSame(old, next) ? old : next))
  }, [place, count])
  const observer = useRef<ResizeObserver | null>(null)
  useLayoutEffect(update, [update])
  useEffect(() => {
    const watch = new ResizeObserver(update)
    if (place.current) watch.observe(place.current)
    return () => watch.disconnect()
  }, [place, update])

  const measure = useCallback((row: HTMLElement | null) => {
    if (!row) return
    observer.current ??= new ResizeObserver((entries) => {
      for (const { target, borderBoxSize } of entries)
        if (target instanceof HTMLElement && target.isConnected)
          heights.current.set(Number(target.dataset.position), borderBoxSize[0]?.blockSize ?? usualHeight)
    })
    const watch = observer.current
    watch.observe(row)
    return () => watch.unobserve(row)
  }, [])
  /** Scrolls as little as needed to bring a row into sight. */
  const bringIntoSight = useCallback(
    (row: number) => {
      const element = place.current
      if (!element) return
      const { top, bottom } = spanOf(row, heights.current, usualHeight)
      if (top < element.scrollTop) element.scrollTop = top
      else if (bottom > element.scrollTop + element.clientHeight) element.scrollTop = bottom - element.clientHeight
    },
    [place],
  )
  return { shown, update, measure, bringIntoSight }
}

const isSame = (a: RowWindow, b: RowWindow) =>
  a.from === b.from && a.to === b.to && Math.abs(a.above - b.above) < 1 && Math.abs(a.below - b.below) < 1
