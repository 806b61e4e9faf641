import { ClipboardCopy, ClipboardPaste } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../parts/Button.tsx'
import { call } from '../state/engine.ts'
import { toast, toastError } from '../state/toasts.ts'
import { stageText } from '../text/stage.ts'

const words = stageText.clipboard

/** The two clipboards meet only when one of these is pressed: what is on either is nobody else's business. */
export function ClipboardButtons({ machineId, disabled }: { machineId: string; disabled: boolean }) {
  const [busy, setBusy] = useState<'give' | 'take' | null>(null)
  const during = async (which: 'give' | 'take', work: () => Promise<void>) => {
    setBusy(which)
    await work().catch((thrown: unknown) =>
      isRefusal(thrown) ? toast(words.refused, { tone: 'fail', hint: words.refusedHint }) : toastError(thrown),
    )
    setBusy(null)
  }
  const give = () =>
    during('give', async () => {
      const text = await navigator.clipboard.readText()
      if (!text) return toast(words.nothing)
      await call('vm.clipboard.write', { machineId, text })
      toast(words.given)
    })
  const take = () =>
    during('take', async () => {
      const { text } = await call('vm.clipboard.read', { machineId })
      if (!text) return toast(words.empty)
      await navigator.clipboard.writeText(text)
      toast(words.taken(text.length))
    })
  return (
    <>
      <IconButton
        size="sm"
        icon={ClipboardPaste}
        label={words.give}
        busy={busy === 'give'}
        disabled={disabled}
        onClick={give}
      />
      <IconButton
        size="sm"
        icon={ClipboardCopy}
        label={words.take}
        busy={busy === 'take'}
        disabled={disabled}
        onClick={take}
      />
    </>
  )
}

const isRefusal = (thrown: unknown) => thrown instanceof DOMException && thrown.name === 'NotAllowedError'
