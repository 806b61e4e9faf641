import { Columns2 } from 'lucide-react'
import type { TraceEntry } from '../../main/contract/trace.ts'
import { Button } from '../parts/Button.tsx'
import { navigate } from '../route/navigation.ts'
import { tracesText } from '../text/traces.ts'

const words = tracesText.compare

/** What was chosen to be compared, in sight wherever in the list one is. The older one is the first. */
export function ChosenBar({ chosen, onClear }: { chosen: readonly TraceEntry[]; onClear: () => void }) {
  const [first, second] = chosen.map(({ task }) => task).toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
  if (!first) return null
  return (
    <section
      aria-label={words.chosen}
      aria-live="polite"
      className="arrive sticky bottom-4 z-10 flex items-center gap-3 rounded-lg bg-raised p-3 pl-4 shadow-lift ring-1 ring-edge"
    >
      <div className="grid min-w-0 flex-1 grid-cols-2 items-center gap-4">
        <p className="truncate font-medium">{first.goal}</p>
        {second ? (
          <p className="truncate font-medium">{second.goal}</p>
        ) : (
          <p className="text-sm text-muted">{words.chooseAnother}</p>
        )}
      </div>
      <Button look="quiet" onClick={onClear}>
        {words.clear}
      </Button>
      <Button
        look="primary"
        icon={Columns2}
        disabled={!second}
        onClick={() => second && navigate({ screen: 'compare', a: first.id, b: second.id })}
      >
        {words.compareTwo}
      </Button>
    </section>
  )
}
