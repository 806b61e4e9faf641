import { Download, EyeOff } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Task } from '../../main/contract/task.ts'
import { ExportFormat } from '../../main/contract/trace.ts'
import { Button } from '../parts/Button.tsx'
import { ProgressBar } from '../parts/ProgressBar.tsx'
import { RedactDialog } from '../redaction/RedactDialog.tsx'
import { tracesText } from '../text/traces.ts'
import { text } from '../text.ts'
import { useExport } from './useExport.ts'

const words = text.exporting

/** The trace as a file to keep or publish. It is made in the engine, which says how far it is and can be called off. */
export function ExportMenu({ task }: { task: Task }) {
  const menu = useRef<HTMLDetailsElement>(null)
  const [machines, setMachines] = useState(false)
  const [hiding, setHiding] = useState(false)
  const { job, working, start, cancel } = useExport()
  const close = () => menu.current?.removeAttribute('open')
  useEffect(() => {
    const outside = (event: PointerEvent) => {
      if (event.target instanceof Node && !menu.current?.contains(event.target)) close()
    }
    document.addEventListener('pointerdown', outside)
    return () => document.removeEventListener('pointerdown', outside)
  }, [])
  return (
    <>
      <details
        ref={menu}
        className="relative shrink-0"
        onKeyDown={(event) => {
          if (event.key === 'Escape') close()
        }}
      >
        <summary className="inline-flex h-7 cursor-pointer list-none items-center gap-1.5 rounded-md bg-raised px-2.5 text-sm text-ink shadow-card ring-1 ring-line ring-inset hover:ring-edge">
          <Download size={14} aria-hidden="true" />
          {text.task.export}
        </summary>
        <div className="absolute right-0 z-20 mt-1.5 w-72 rounded-lg bg-raised p-1.5 shadow-card ring-1 ring-line">
          {working ? (
            <div className="space-y-2 p-2 text-sm">
              <p aria-live="polite">{job?.progress?.step ?? words.starting}</p>
              <ProgressBar progress={job?.progress ?? { step: '', done: 0, total: -1 }} label={words.label} />
              <Button size="sm" onClick={cancel}>
                {text.common.cancel}
              </Button>
            </div>
          ) : (
            <ul>
              {ExportFormat.options.map((format) => (
                <li key={format}>
                  <button
                    type="button"
                    onClick={() => start({ taskId: task.id, format, machines: machines && format === 'bundle' })}
                    className="block w-full rounded-md px-3 py-1.5 text-left text-sm hover:bg-ink/7"
                  >
                    {text.task.exports[format]}
                  </button>
                </li>
              ))}
              <li className="mt-1 border-t border-line pt-1">
                <button
                  type="button"
                  onClick={() => {
                    close()
                    setHiding(true)
                  }}
                  className="flex w-full items-center gap-2 rounded-md px-3 py-1.5 text-left text-sm hover:bg-ink/7"
                >
                  <EyeOff size={14} aria-hidden="true" />
                  {tracesText.redact.open}
                </button>
              </li>
              <li className="mt-1 border-t border-line px-3 pt-2 pb-1">
                <label className="flex gap-2 text-sm" title={words.machinesDetail}>
                  <input type="checkbox" checked={machines} onChange={(event) => setMachines(event.target.checked)} />
                  {words.machines}
                </label>
              </li>
            </ul>
          )}
        </div>
      </details>
      {hiding && <RedactDialog task={task} onClose={() => setHiding(false)} />}
    </>
  )
}
