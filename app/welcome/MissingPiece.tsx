import { Hammer, PackageOpen, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import type { ErrorInfo } from '../../main/contract/errors.ts'
import { Button } from '../parts/Button.tsx'
import { Prose } from '../parts/Prose.tsx'
import { Link } from '../route/Link.tsx'
import { call } from '../state/engine.ts'
import { toastError } from '../state/toasts.ts'
import { text } from '../text.ts'

const words = text.welcome.missing

/** A page of its own for what keeps the machine from being made: the reason, and the thing to do. */
export function MissingPiece({ error }: { error: ErrorInfo }) {
  const [busy, setBusy] = useState(false)
  const canBuild = error.code === 'missing_prerequisite' || error.code === 'image_build_failed'
  const prepare = async () => {
    setBusy(true)
    await call('engine.prepare', { build: canBuild }).catch(toastError)
    setBusy(false)
  }
  return (
    <section aria-labelledby="missing" className="rounded-lg bg-surface p-6 shadow-lift ring-1 ring-line">
      <div className="flex gap-4">
        <span className="grid size-11 shrink-0 place-items-center rounded-full bg-warn-tint text-warn">
          <PackageOpen size={20} aria-hidden="true" />
        </span>
        <div className="min-w-0">
          <h2 id="missing" className="text-xl font-semibold tracking-tight">
            {words.title}
          </h2>
          <p className="mt-0.5 text-muted">{words.detail}</p>
        </div>
      </div>
      <dl className="mt-5 space-y-3 wrap-anywhere">
        <div>
          <dt className="text-sm text-muted">{words.why}</dt>
          <dd className="font-medium">
            <Prose>{error.message}</Prose>
          </dd>
        </div>
        {error.hint && (
          <div>
            <dt className="text-sm text-muted">{words.what}</dt>
            <dd>
              <Prose>{error.hint}</Prose>
            </dd>
          </div>
        )}
      </dl>
      <div className="mt-6 flex items-center gap-4">
        <Button look="primary" icon={canBuild ? Hammer : RefreshCw} busy={busy} onClick={prepare}>
          {canBuild ? words.build : words.again}
        </Button>
        <Link to={{ screen: 'doctor' }} className="text-sm text-lapis underline underline-offset-2">
          {words.checks}
        </Link>
      </div>
    </section>
  )
}
