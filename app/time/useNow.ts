import { useEffect, useState } from 'react'

/** The time, told again every `everyMs`; stands still while `ticking` is false. */
export function useNow(everyMs = 1000, ticking = true): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!ticking) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs, ticking])
  return now
}
