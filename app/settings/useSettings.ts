import type { Settings } from '../../main/contract/settings.ts'
import { call } from '../state/engine.ts'
import { text } from '../text.ts'
import { useAsked } from './useAsked.ts'
import { useBusy } from './useBusy.ts'

/** What is in force, and how to change a part of it. */
export function useSettings() {
  const { answer, setAnswer, error } = useAsked('settings.get', {})
  const { busy, during } = useBusy()
  const save = async (part: Partial<Settings>) => {
    if (!answer) return
    const wish = { ...answer.settings, ...part }
    const next = await during(
      () => call('settings.set', wish),
      () => text.settings.saved,
    )
    if (next) setAnswer(next)
  }
  return { inForce: answer, error, busy, save }
}
