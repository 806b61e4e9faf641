import { Download } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { Task } from '../../main/contract/task.ts'
import type { ExportFormat } from '../../main/contract/trace.ts'
import { text } from '../text.ts'

const formats: ExportFormat[] = ['bundle', 'html', 'gif', 'csv', 'osworld']

/** The trace as a file to keep or publish. Plain links: the browser shows how far it is and can cancel. */
export function ExportMenu({ task }: { task: Task }) {
  const menu = useRef<HTMLDetailsElement>(null)
  const close = () => menu.current?.removeAttribute('open')
  useEffect(() => {
    const outside = (event: PointerEvent) => {
      if (event.target instanceof Node && !menu.current?.contains(event.target)) close()
    }
    document.addEventListener('pointerdown', outside)
    return () => document.removeEventListener('pointerdown', outside)
  }, [])
  return (
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
      <ul className="absolute right-0 z-20 mt-1.5 w-64 rounded-lg bg-raised p-1.5 shadow-card ring-1 ring-line">
        {formats.map((format) => (
          <li key={format}>
            <a
              href={`/traces/${task.id}/${format}`}
              download
              onClick={close}
              className="block rounded-md px-3 py-1.5 text-sm hover:bg-ink/7"
            >
              {text.task.exports[format]}
            </a>
          </li>
        ))}
      </ul>
    </details>
  )
}
