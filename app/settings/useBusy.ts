import { useState } from 'react'
import { toast, toastError } from '../state/toasts.ts'

/** One piece of work at a time; what stands in its way is said, and so is its success where there are words for it. */
export function useBusy() {
  const [busy, setBusy] = useState(false)
  const during = async <T>(work: () => Promise<T>, done?: (result: T) => string): Promise<T | undefined> => {
    setBusy(true)
    try {
      const result = await work()
      if (done) toast(done(result))
      return result
    } catch (thrown) {
      toastError(thrown)
      return undefined
    } finally {
      setBusy(false)
    }
  }
  return { busy, during }
}
