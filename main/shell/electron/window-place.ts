import { z } from 'zod'

const Rectangle = z.object({
  x: z.number().int(),
  y: z.number().int(),
  width: z.number().int(),
  height: z.number().int(),
})
export type Rectangle = z.infer<typeof Rectangle>

/** Where the window was when it was last seen. */
export const WindowPlace = z.object({ bounds: Rectangle, maximized: z.boolean().default(false) })
export type WindowPlace = z.infer<typeof WindowPlace>

export const SMALLEST = { width: 900, height: 600 }
const USUAL = { width: 1440, height: 920 }
/** As much of the window must be on a screen as a person needs to take hold of its title. */
const GRIP = 80

/**
 * Where the window goes now. Screens come and go between two starts, so a place that nobody could see is given up, and
 * no window is larger than its screen. `screens` are the work areas, the main one first.
 */
export function placeWindow(last: WindowPlace | null, screens: readonly Rectangle[]): WindowPlace {
  const [main] = screens
  if (!main) return last ?? { bounds: { x: 0, y: 0, ...USUAL }, maximized: false }
  const home = last ? screens.find((screen) => isGraspable(last.bounds, screen)) : undefined
  const screen = home ?? main
  const wanted = last?.bounds ?? USUAL
  const width = fit(wanted.width, SMALLEST.width, screen.width)
  const height = fit(wanted.height, SMALLEST.height, screen.height)
  const bounds =
    home && last
      ? { x: last.bounds.x, y: Math.max(last.bounds.y, screen.y), width, height }
      : {
          x: screen.x + Math.floor((screen.width - width) / 2),
          y: screen.y + Math.floor((screen.height - height) / 2),
          width,
          height,
        }
  return { bounds, maximized: last?.maximized ?? false }
}

function isGraspable(window: Rectangle, screen: Rectangle): boolean {
  const shownWidth = Math.min(window.x + window.width, screen.x + screen.width) - Math.max(window.x, screen.x)
  const titleIn = window.y > screen.y - GRIP && window.y < screen.y + screen.height - GRIP
  return shownWidth >= GRIP && titleIn
}

/** A screen smaller than the smallest window wins: better cramped than cut off. */
const fit = (wanted: number, smallest: number, room: number) => Math.min(Math.max(wanted, smallest), room)
