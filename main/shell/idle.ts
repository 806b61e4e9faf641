/** Calls back once nothing has been going on for the whole time. Returns how to stop waiting for that. */
export function whenIdle(idleMs: number, isBusy: () => boolean, onIdle: () => void): () => void {
  let lastBusy = Date.now()
  const timer = setInterval(
    () => {
      if (isBusy()) lastBusy = Date.now()
      else if (Date.now() - lastBusy >= idleMs) {
        clearInterval(timer)
        onIdle()
      }
    },
    Math.min(5000, Math.max(20, idleMs / 10)),
  )
  return () => clearInterval(timer)
}
