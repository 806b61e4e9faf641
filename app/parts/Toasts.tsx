import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link } from '../route/Link.tsx'
import { dismissToast, type Toast, useToasts } from '../state/toasts.ts'
import { text } from '../text.ts'
import { IconButton } from './Button.tsx'
import { Prose } from './Prose.tsx'

const shownForMs = { plain: 5000, fail: 12_000 }

export function Toasts() {
  const toasts = useToasts((store) => store.toasts)
  return (
    <section
      aria-label={text.common.messages}
      aria-live="polite"
      className="pointer-events-none fixed right-4 bottom-4 z-50 grid w-90 max-w-[calc(100vw-32px)] gap-2"
    >
      {toasts.map((one) => (
        <ToastCard key={one.id} toast={one} />
      ))}
    </section>
  )
}

function ToastCard({ toast }: { toast: Toast }) {
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if (held) return
    const timer = setTimeout(() => dismissToast(toast.id), shownForMs[toast.tone])
    return () => clearTimeout(timer)
  }, [toast, held])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: resting the pointer on it only keeps it from leaving.
    <div
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      className={`arrive pointer-events-auto flex items-start gap-2 rounded-lg border-l-3 bg-raised py-2.5 pr-2 pl-3.5 shadow-lift ${toast.tone === 'fail' ? 'border-fail' : 'border-lapis'}`}
    >
      <div className="min-w-0 flex-1 py-0.5 text-sm wrap-anywhere">
        <p className="font-medium">{toast.message}</p>
        {toast.hint && (
          <p className="text-muted">
            <Prose>{toast.hint}</Prose>
          </p>
        )}
        {toast.to && (
          <Link
            to={toast.to}
            onClick={() => dismissToast(toast.id)}
            className="text-lapis underline underline-offset-2"
          >
            {text.news.open}
          </Link>
        )}
      </div>
      <IconButton size="sm" icon={X} label={text.common.dismiss} onClick={() => dismissToast(toast.id)} />
    </div>
  )
}
