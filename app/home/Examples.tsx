import { GitFork, Play } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Example } from '../../main/contract/example.ts'
import { Button } from '../parts/Button.tsx'
import { Chip } from '../parts/Chip.tsx'
import { call } from '../state/engine.ts'
import { useStore } from '../state/store.ts'
import { toastError } from '../state/toasts.ts'
import { text } from '../text.ts'
import { useRunTask } from './useRunTask.ts'

const words = text.home.examples

/** A gallery of tasks that need nothing but this computer. */
export function Examples() {
  const connectedTimes = useStore((store) => store.connectedTimes)
  const [examples, setExamples] = useState<readonly Example[] | null>(null)
  useEffect(() => {
    if (connectedTimes > 0) call('example.list', {}).then(setExamples, () => setExamples([]))
  }, [connectedTimes])
  return (
    <section aria-labelledby="examples" className="pt-2">
      <h2 id="examples" className="text-lg font-semibold">
        {words.title}
      </h2>
      <p className="mb-3 text-sm text-muted">{words.lead}</p>
      {examples === null ? (
        <p className="text-muted">{text.common.loading}</p>
      ) : examples.length === 0 ? (
        <p className="text-muted">{words.none}</p>
      ) : (
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(15.5rem,1fr))] gap-3">
          {examples.map((example) => (
            <ExampleCard key={example.id} example={example} />
          ))}
        </ul>
      )}
    </section>
  )
}

function ExampleCard({ example }: { example: Example }) {
  const { run, busy } = useRunTask(toastError)
  const connected = useStore((store) => store.connection === 'open')
  const { title, detail, branches, script } = example
  return (
    <li className="flex flex-col gap-2 rounded-lg bg-surface p-4 shadow-card ring-1 ring-line">
      <h3 className="font-semibold">{title}</h3>
      <p className="flex-1 text-sm text-muted">{detail}</p>
      <div className="flex items-center justify-between gap-2 pt-1">
        {branches ? (
          <Chip tone="lapis" icon={GitFork}>
            {words.branches}
          </Chip>
        ) : (
          <span className="text-xs text-muted">{text.common.steps(script.steps.length)}</span>
        )}
        <Button
          size="sm"
          icon={Play}
          busy={busy}
          disabled={!connected}
          aria-label={words.runIt(title)}
          onClick={() => run({ goal: script.goal, planner: { kind: 'script', script }, keepMachine: true })}
        >
          {words.run}
        </Button>
      </div>
    </li>
  )
}
