import { Gavel, Minimize2, Trophy } from 'lucide-react'
import type { Branch } from '../../main/contract/branching.ts'
import type { Step, Task } from '../../main/contract/task.ts'
import { Button } from '../parts/Button.tsx'
import { stageText } from '../text/stage.ts'
import { isJudged, isUnderWay } from './decisions.ts'
import { WayTile } from './WayTile.tsx'

const words = stageText.arena

type Props = { branches: readonly Branch[]; task: Task; steps: readonly Step[]; onClose: () => void }

/** The stage while several ways are tried at once: one tile for each, and the judge's word when they have ended. */
export function Arena({ branches, task, steps, onClose }: Props) {
  const judged = isJudged(branches)
  const winner = branches.find(({ won }) => won)
  const underWay = branches.some(isUnderWay)
  return (
    <section aria-label={words.label} className="flex min-h-0 flex-1 flex-col gap-3">
      <header className="flex min-h-7 items-center gap-2.5">
        {winner ? (
          <Trophy size={16} aria-hidden="true" className="shrink-0 text-warn" />
        ) : (
          <Gavel size={16} aria-hidden="true" className="shrink-0 text-muted" />
        )}
        <p role="status" className="min-w-0 flex-1 truncate">
          <span className="font-medium">
            {winner
              ? words.winner(winner.option + 1, winner.plan)
              : judged
                ? words.tried(branches.length)
                : words.title(branches.length)}
          </span>
          {!underWay && !judged && <span className="text-muted"> · {words.judging}</span>}
          {judged && !winner && <span className="text-muted"> · {words.nobody}</span>}
        </p>
        <Button size="sm" look="quiet" icon={Minimize2} onClick={onClose}>
          {words.toStage}
        </Button>
      </header>
      <ul className={`grid min-h-0 flex-1 auto-rows-fr gap-3 overflow-y-auto p-1 ${columnsFor(branches.length)}`}>
        {branches.map((branch) => (
          <WayTile key={branch.id} branch={branch} task={task} steps={steps} judged={judged} />
        ))}
      </ul>
    </section>
  )
}

function columnsFor(count: number): string {
  if (count === 1) return 'grid-cols-1'
  if (count === 2 || count === 4) return 'grid-cols-2'
  return 'grid-cols-[repeat(auto-fill,minmax(14.5rem,1fr))]'
}
