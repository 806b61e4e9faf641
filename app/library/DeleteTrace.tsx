import { useEffect, useState } from 'react'
import { GodHandError } from '../../main/contract/errors.ts'
import type { Freeable, TraceEntry } from '../../main/contract/trace.ts'
import { Button } from '../parts/Button.tsx'
import { ErrorNote } from '../parts/ErrorNote.tsx'
import { Modal } from '../parts/Modal.tsx'
import { call } from '../state/engine.ts'
import { toast, toastError } from '../state/toasts.ts'
import { tracesText } from '../text/traces.ts'
import { text } from '../text.ts'
import { bytes } from '../time/format.ts'

const words = tracesText.remove

type Props = { entry: TraceEntry; onGone: () => void; onClose: () => void }

/** Says what would be free again before anything goes; its machines go only when that is wanted. */
export function DeleteTrace({ entry: { task, bytes: all }, onGone, onClose }: Props) {
  const [freeable, setFreeable] = useState<Freeable | null>(null)
  const [error, setError] = useState<GodHandError | null>(null)
  const [machines, setMachines] = useState(false)
  useEffect(() => {
    let current = true
    call('trace.freeable', { taskId: task.id }).then(
      (found) => current && setFreeable(found),
      (thrown) => current && setError(GodHandError.from(thrown)),
    )
    return () => {
      current = false
    }
  }, [task.id])
  const remove = () => {
    onClose()
    call('trace.delete', { taskId: task.id, machines }).then((freed) => {
      toast(text.library.removed(bytes(freed.bytes)))
      onGone()
    }, toastError)
  }
  return (
    <Modal label={text.library.removeTitle} onClose={onClose} className="w-112 max-w-[calc(100vw-32px)]">
      <div className="space-y-4 p-5">
        <div className="space-y-1.5">
          <h2 className="text-lg font-semibold">{text.library.removeTitle}</h2>
          <p className="line-clamp-4 wrap-anywhere text-muted">{words.detail(task.goal)}</p>
        </div>
        <div role="status" className="space-y-1.5 rounded-md bg-sunken px-3 py-2.5">
          {freeable ? (
            <>
              <p className="font-medium">
                {words.frees(bytes(freeable.pictures.bytes + (machines ? freeable.machines.bytes : 0)))}
              </p>
              <p className="text-sm text-muted">
                {words.pictures(
                  freeable.pictures.count,
                  bytes(freeable.pictures.bytes),
                  all > freeable.pictures.bytes ? bytes(all) : null,
                )}
              </p>
            </>
          ) : (
            !error && <p className="text-muted">{words.weighing}</p>
          )}
          {error && <ErrorNote error={error} />}
        </div>
        {freeable && freeable.machines.count > 0 && (
          <label className="flex items-center gap-2">
            <input type="checkbox" checked={machines} onChange={(event) => setMachines(event.target.checked)} />
            {words.machines(freeable.machines.count, bytes(freeable.machines.bytes))}
          </label>
        )}
        <div className="flex justify-end gap-2">
          <Button data-first-focus onClick={onClose}>
            {text.common.cancel}
          </Button>
          <Button look="danger" disabled={!freeable && !error} onClick={remove}>
            {text.library.removeAction}
          </Button>
        </div>
      </div>
    </Modal>
  )
}
