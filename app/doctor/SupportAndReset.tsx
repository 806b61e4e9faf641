import { LifeBuoy, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { RESET_WORDS } from '../../main/contract/diagnostics.ts'
import { Button } from '../parts/Button.tsx'
import { Field } from '../parts/Field.tsx'
import { Modal } from '../parts/Modal.tsx'
import { navigate } from '../route/navigation.ts'
import { call, refresh } from '../state/engine.ts'
import { useStore } from '../state/store.ts'
import { toast, toastError } from '../state/toasts.ts'
import { text } from '../text.ts'

const { support, reset } = text.diagnostics

export function SupportAndReset() {
  const connected = useStore((store) => store.connection === 'open')
  const [asking, setAsking] = useState(false)
  return (
    <div className="grid grid-cols-2 gap-4 max-md:grid-cols-1">
      <Card title={support.title} detail={support.detail}>
        <a
          href="/support.zip"
          download
          className="inline-flex h-8.5 items-center gap-2 rounded-md bg-raised px-3.5 shadow-card ring-1 ring-line ring-inset hover:ring-edge"
        >
          <LifeBuoy size={16} aria-hidden="true" />
          {support.action}
        </a>
      </Card>
      <Card title={reset.title} detail={reset.detail}>
        <Button look="danger" icon={Trash2} disabled={!connected} onClick={() => setAsking(true)}>
          {reset.action}
        </Button>
      </Card>
      {asking && <AskReset onClose={() => setAsking(false)} />}
    </div>
  )
}

function Card({ title, detail, children }: { title: string; detail: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-3 rounded-lg bg-surface p-4 shadow-card ring-1 ring-line">
      <div className="flex-1">
        <h2 className="font-semibold">{title}</h2>
        <p className="mt-1 text-sm text-muted">{detail}</p>
      </div>
      <div>{children}</div>
    </section>
  )
}

/** Words to write, not a button to press by habit. */
function AskReset({ onClose }: { onClose: () => void }) {
  const [written, setWritten] = useState('')
  const [busy, setBusy] = useState(false)
  const erase = async () => {
    setBusy(true)
    try {
      await call('engine.reset', { confirm: RESET_WORDS })
      localStorage.clear()
      await refresh()
      toast(reset.done)
      navigate({ screen: 'home' })
    } catch (thrown) {
      toastError(thrown)
      onClose()
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal label={reset.confirmTitle} onClose={onClose} className="w-110 max-w-[calc(100vw-32px)]">
      <form
        className="space-y-4 p-5"
        onSubmit={(event) => {
          event.preventDefault()
          if (written === RESET_WORDS) void erase()
        }}
      >
        <div className="space-y-1.5">
          <h2 className="text-lg font-semibold">{reset.confirmTitle}</h2>
          <p className="text-muted">{reset.confirmDetail(RESET_WORDS)}</p>
        </div>
        <Field
          data-first-focus
          label={reset.field}
          autoComplete="off"
          value={written}
          onChange={(event) => setWritten(event.target.value)}
        />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{text.common.cancel}</Button>
          <Button type="submit" look="danger" busy={busy} disabled={written !== RESET_WORDS}>
            {reset.confirm}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
