import { History, X } from 'lucide-react'
import { useState } from 'react'
import { z } from 'zod'
import { IconButton } from '../parts/Button.tsx'
import { keep, readKept } from '../state/kept.ts'
import { useStore } from '../state/store.ts'
import { text } from '../text.ts'

const remembered = 50

/** What the engine has to tell about its last run. Once read and put away, a notice of the same start stays away. */
export function Notices() {
  const info = useStore((store) => store.info)
  const [away, setAway] = useState(() => readKept('notices', z.array(z.string()), []))
  const keyOf = (notice: string) => `${info?.startedAt} ${notice}`
  const shown = info?.notices.filter((notice) => !away.includes(keyOf(notice))) ?? []
  const putAway = (notice: string) => {
    const next = [...away, keyOf(notice)].slice(-remembered)
    setAway(next)
    keep('notices', next)
  }
  if (shown.length === 0) return null
  return (
    <section aria-label={text.home.notices} className="space-y-2">
      {shown.map((notice) => (
        <div key={notice} className="flex items-start gap-3 rounded-lg bg-warn-tint py-2 pr-2 pl-4">
          <History size={16} aria-hidden="true" className="mt-1.5 shrink-0 text-warn" />
          <p className="min-w-0 flex-1 py-1 text-sm">{notice}</p>
          <IconButton size="sm" icon={X} label={text.common.dismiss} onClick={() => putAway(notice)} />
        </div>
      ))}
    </section>
  )
}
