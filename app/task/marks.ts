import type { Act, Point } from '../../main/contract/action.ts'

/** Where the hand was on the screen, to be drawn over the picture. Numbered as the actions are, from one. */
export type Mark =
  | { kind: 'touch'; at: Point; number: number }
  | { kind: 'path'; points: readonly Point[]; number: number }
  | { kind: 'scroll'; at: Point; dx: number; dy: number; number: number }

export function marksOf(acts: readonly Act[]): Mark[] {
  const marks: Mark[] = []
  let pointer: Point | undefined // where it is when an action does not say
  acts.forEach((act, index) => {
    const number = index + 1
    switch (act.type) {
      case 'move':
        pointer = act.to
        break
      case 'click':
      case 'mouse_down':
      case 'mouse_up':
        pointer = act.at ?? pointer
        if (pointer) marks.push({ kind: 'touch', at: pointer, number })
        break
      case 'drag':
        marks.push({ kind: 'path', points: act.path, number })
        pointer = act.path.at(-1)
        break
      case 'scroll':
        pointer = act.at ?? pointer
        if (pointer) marks.push({ kind: 'scroll', at: pointer, dx: act.dx, dy: act.dy, number })
        break
    }
  })
  return marks
}
