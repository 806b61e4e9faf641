import { Power } from 'lucide-react'
import { useState } from 'react'
import type { Step } from '../../main/contract/task.ts'
import { Button } from '../parts/Button.tsx'
import { navigate } from '../route/navigation.ts'
import { call } from '../state/engine.ts'
import { change, useStore } from '../state/store.ts'
import { toast, toastError } from '../state/toasts.ts'
import { withTask } from '../state/world.ts'
import { text } from '../text.ts'

const words = text.bootStep

/** Opens the machine as it was after this step: at once where it was kept, else by doing again what led there. */
export function BootStepButton({ step: { taskId, index } }: { step: Step }) {
  const [busy, setBusy] = useState(false)
  const connected = useStore((store) => store.connection === 'open')
  const boot = async () => {
    setBusy(true)
    try {
      const booted = await call('trace.boot', { taskId, step: index })
      if (booted.kind === 'machine') {
        toast(words.booted(index + 1))
        navigate({ screen: 'machine', machineId: booted.machine.id })
        return
      }
      toast(words.replaying(booted.steps))
      change((world) => withTask(world, booted.task))
      navigate({ screen: 'task', taskId: booted.task.id, step: null })
    } catch (thrown) {
      toastError(thrown)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button size="sm" icon={Power} busy={busy} disabled={!connected} title={words.detail} onClick={boot}>
      {words.boot}
    </Button>
  )
}
