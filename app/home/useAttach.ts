import { type DragEvent, useState } from 'react'
import { z } from 'zod'
import { Attachment } from '../../main/contract/attachment.ts'
import { ErrorInfo, GodHandError } from '../../main/contract/errors.ts'
import { toastError } from '../state/toasts.ts'
import { text } from '../text.ts'

const Refusal = z.object({ error: ErrorInfo })

async function send(file: File): Promise<Attachment> {
  const response = await fetch(`/attachments?${new URLSearchParams({ name: file.name })}`, {
    method: 'POST',
    body: file,
  })
  const answer: unknown = await response.json().catch(() => null)
  if (response.ok) return Attachment.parse(answer)
  const refused = Refusal.safeParse(answer)
  throw refused.success ? GodHandError.fromInfo(refused.data.error) : new Error(text.home.notAttached(file.name))
}

/** Files by the dialog, or dropped on whatever carries `target`. */
export function useAttach(onAttached: (attachment: Attachment) => void) {
  const [busy, setBusy] = useState(false)
  const [over, setOver] = useState(false)
  const take = async (files: Iterable<File>) => {
    setBusy(true)
    for (const file of files) await send(file).then(onAttached, toastError)
    setBusy(false)
  }
  const target = {
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes('Files')) return
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: (event: DragEvent) => {
      if (!(event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget))) setOver(false)
    },
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      setOver(false)
      void take([...event.dataTransfer.files])
    },
  }
  return { busy, over, take, target }
}
