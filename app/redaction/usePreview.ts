import { useEffect, useState } from 'react'
import { GodHandError } from '../../main/contract/errors.ts'
import type { RedactionPreview } from '../../main/contract/export.ts'
import type { RedactionInput } from '../../main/contract/trace.ts'
import { call } from '../state/engine.ts'

/** Long enough that not every letter typed is looked for in a picture. */
const typingMs = 250

type Shown = RedactionPreview & { frame: string }

/** What would leave, of one picture and of all words: asked anew when the wish or the picture changes. */
export function usePreview(taskId: string, frame: string | undefined, redact: RedactionInput | null) {
  const [preview, setPreview] = useState<Shown | null>(null)
  const [error, setError] = useState<GodHandError | null>(null)
  const [working, setWorking] = useState(false)
  const wish = redact && JSON.stringify(redact)
  useEffect(() => {
    setError(null)
    if (!frame || !wish) {
      setPreview(null)
      setWorking(false)
      return
    }
    let current = true
    setWorking(true)
    const timer = setTimeout(async () => {
      try {
        const seen = await call('trace.previewRedaction', { taskId, frame, redact: JSON.parse(wish) })
        if (current) setPreview({ ...seen, frame })
      } catch (thrown) {
        if (!current) return
        setPreview(null)
        setError(GodHandError.from(thrown))
      } finally {
        if (current) setWorking(false)
      }
    }, typingMs)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [taskId, frame, wish])
  return { preview: preview?.frame === frame ? preview : null, error, working }
}
