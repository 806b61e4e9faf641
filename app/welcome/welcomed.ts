import { z } from 'zod'
import { keep, readKept } from '../state/kept.ts'

export const welcomed = (): void => keep('welcomed', true)

/** Whether this person should be shown around: nothing was ever run here, and this browser has not been welcomed. */
export const isNewcomer = (tasks: object): boolean =>
  Object.keys(tasks).length === 0 && !readKept('welcomed', z.boolean(), false)
