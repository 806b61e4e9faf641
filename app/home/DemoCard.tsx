import { Play } from 'lucide-react'
import { Button } from '../parts/Button.tsx'
import { ErrorNote } from '../parts/ErrorNote.tsx'
import { useStore } from '../state/store.ts'
import { text } from '../text.ts'
import { useRunTask } from './useRunTask.ts'

const words = text.home.demo

export function DemoCard() {
  const { run, busy, error } = useRunTask()
  const connected = useStore((store) => store.connection === 'open')
  return (
    <section
      aria-label={words.title}
      className="flex flex-col gap-3 rounded-lg bg-surface p-4 shadow-card ring-1 ring-line"
    >
      <div className="flex items-center gap-5">
        <Picture />
        <div className="min-w-0 flex-1">
          <h2 className="text-lg font-semibold">{words.title}</h2>
          <p className="mt-0.5 text-muted">{words.detail}</p>
        </div>
        <Button
          look="primary"
          icon={Play}
          busy={busy}
          disabled={!connected}
          aria-label={words.title}
          onClick={() => run({ goal: words.goal, planner: { kind: 'demo' }, keepMachine: true })}
        >
          {words.play}
        </Button>
      </div>
      {error && <ErrorNote error={error} />}
    </section>
  )
}

/** A little desktop with its windows, and the spark where the hand is about to touch. A picture: same in any theme. */
function Picture() {
  return (
    <svg viewBox="0 0 120 76" aria-hidden="true" className="h-19 w-30 shrink-0 rounded-md max-sm:hidden">
      <rect width="120" height="76" fill="#2f5a66" />
      <path d="M0 58 Q30 44 60 54 T120 46 V76 H0Z" fill="#1f3d49" />
      <rect y="70" width="120" height="6" fill="#15191d" />
      <rect x="14" y="10" width="60" height="40" rx="3" fill="#fbf8f1" />
      <path d="M14 17v-4q0-3 3-3h54q3 0 3 3v4z" fill="#39424a" />
      <g fill="#a9a196">
        <rect x="20" y="23" width="34" height="2.5" rx="1" />
        <rect x="20" y="29" width="44" height="2.5" rx="1" />
        <rect x="20" y="35" width="26" height="2.5" rx="1" />
      </g>
      <rect x="56" y="32" width="50" height="30" rx="3" fill="#1b1f24" />
      <path d="M56 39v-4q0-3 3-3h44q3 0 3 3v4z" fill="#4b555e" />
      <rect x="61" y="45" width="20" height="2.5" rx="1" fill="#b9d3c4" />
      <circle cx="91" cy="50" r="7" fill="#eab04a" opacity=".3" />
      <circle cx="91" cy="50" r="3" fill="#eab04a" />
    </svg>
  )
}
