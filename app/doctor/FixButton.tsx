import { Wrench } from 'lucide-react'
import { useState } from 'react'
import type { DoctorFix } from '../../main/contract/rpc.ts'
import { Button } from '../parts/Button.tsx'
import { call } from '../state/engine.ts'
import { toast, toastError } from '../state/toasts.ts'
import { text } from '../text.ts'

const words = text.diagnostics

const mend: Record<DoctorFix, () => Promise<unknown>> = {
  prepare: () => call('engine.prepare', {}),
  build: () => call('engine.prepare', { build: true }),
  tidy: () => call('snapshot.collect', {}),
}

/** Where the engine can help itself, it is asked to. */
export function FixButton({ fix, onFixed }: { fix: DoctorFix; onFixed: () => void }) {
  const [busy, setBusy] = useState(false)
  const press = async () => {
    setBusy(true)
    try {
      await mend[fix]()
      toast(words.fixed[fix])
      onFixed()
    } catch (thrown) {
      toastError(thrown)
    } finally {
      setBusy(false)
    }
  }
  return (
    <p className="mt-2">
      <Button size="sm" icon={Wrench} busy={busy} onClick={() => void press()}>
        {words.fixes[fix]}
      </Button>
    </p>
  )
}
