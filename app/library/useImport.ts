import { type DragEvent, useState } from 'react'
import { z } from 'zod'
import { ErrorInfo } from '../../main/contract/errors.ts'
import { Task } from '../../main/contract/task.ts'
import { navigate } from '../route/navigation.ts'
import { toast, toastError } from '../state/toasts.ts'
import { text } from '../text.ts'

const words = text.library
const Refusal = z.object({ error: ErrorInfo })

async function send(file: File): Promise<Task> {
  const response = await fetch('/traces', { method: 'POST', body: file })
  const answer: unknown = await response.json().catch(() => null)
  if (response.ok) return Task.parse(answer)
  const refused = Refusal.safeParse(answer)
  throw refused.success ? refused.data.error : new Error(words.notATrace(file.name))
}

/** Someone's trace, by the file dialog or dropped anywhere on the screen. */
export function useImport() {
  const [busy, setBusy] = useState(false)
  const [over, setOver] = useState(false)
  const take = async (files: FileList | null) => {
    const file = files?.[0]
    if (!file) return
    setBusy(true)
    try {
      const task = await send(file)
      toast(words.imported(task.goal))
      navigate({ screen: 'task', taskId: task.id, step: null })
    } catch (thrown) {
      const refused = ErrorInfo.safeParse(thrown)
      if (refused.success) toast(refused.data.message, { tone: 'fail', hint: refused.data.hint })
      else toastError(thrown)
    } finally {
      setBusy(false)
    }
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
      void take(event.dataTransfer.files)
    },
  }
  return { busy, over, take, target }
}
