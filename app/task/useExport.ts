import { useEffect, useRef, useState } from 'react'
import type { ExportJob } from '../../main/contract/export.ts'
import type { Input } from '../../main/contract/rpc.ts'
import { call } from '../state/engine.ts'
import { useStore } from '../state/store.ts'
import { toast, toastError } from '../state/toasts.ts'
import { text } from '../text.ts'

/** One export at a time: watched while it is made, fetched by the browser when it is done. */
export function useExport() {
  const [id, setId] = useState<string | null>(null)
  const job = useStore((store) => (id === null ? undefined : store.exports[id]))
  const fetched = useRef<string | null>(null)
  useEffect(() => {
    if (!job || job.state === 'working' || fetched.current === job.id) return
    fetched.current = job.id
    setId(null)
    if (job.state === 'done') fetchFile(job)
    else if (job.state === 'cancelled') toast(text.exporting.cancelled)
    else if (job.error) toast(job.error.message, { tone: 'fail', hint: job.error.hint })
  }, [job])
  const start = (wish: Input<'export.start'>) => {
    call('export.start', wish).then((begun) => setId(begun.id), toastError)
  }
  const cancel = () => {
    if (id !== null) call('export.cancel', { exportId: id }).catch(toastError)
  }
  return { job, working: id !== null, start, cancel }
}

function fetchFile(job: ExportJob): void {
  const link = document.createElement('a')
  link.href = `/exports/${job.id}`
  link.download = job.name
  link.click()
}
