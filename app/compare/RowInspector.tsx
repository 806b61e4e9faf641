import { ChevronLeft, ChevronRight, X } from 'lucide-react'
import { type CSSProperties, type KeyboardEvent, type ReactNode, useMemo, useState } from 'react'
import { describeAct } from '../../main/contract/action.ts'
import type { Step } from '../../main/contract/task.ts'
import { IconButton } from '../parts/Button.tsx'
import { Modal } from '../parts/Modal.tsx'
import { CheckList } from '../task/CheckList.tsx'
import { DiffPicture } from '../task/DiffPicture.tsx'
import { marksOf } from '../task/marks.ts'
import { Picture, usualSize } from '../task/Picture.tsx'
import { scrubTo } from '../task/useScrubKeys.ts'
import { stageText } from '../text/stage.ts'
import { tracesText } from '../text/traces.ts'
import { text } from '../text.ts'
import { Findings, KindChip } from './CompareRow.tsx'
import type { Pair } from './pairs.ts'

const words = tracesText.compare

type Props = { pair: Pair; pairs: readonly Pair[]; onMove: (row: number) => void; onClose: () => void }

/** One row at full size: both screens afterwards, what differs between them, and what was done and checked. */
export function RowInspector({ pair, pairs, onMove, onClose }: Props) {
  const position = pairs.findIndex(({ place }) => place === pair.place)
  const moveTo = (next: number | null | undefined) => {
    const target = typeof next === 'number' ? pairs[next] : undefined
    if (target) onMove(target.place)
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') return // the dialog's own way out
    const next = scrubTo(event.key, position, pairs.length)
    if (next === undefined) return
    event.preventDefault()
    moveTo(next ?? pairs.length - 1)
  }
  const { row, a, b } = pair
  const title = words.closer(position + 1, pairs.length)
  return (
    <Modal
      label={title}
      onClose={onClose}
      className="h-[min(92vh,900px)] w-[min(94vw,1560px)] max-w-none overflow-hidden"
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrow keys work wherever in the dialog the focus is */}
      <div onKeyDown={press} tabIndex={-1} data-first-focus className="flex h-full flex-col outline-none">
        <header className="flex items-center gap-3 border-b border-line py-2.5 pr-3 pl-5">
          <h2 className="font-semibold" aria-live="polite">
            {title}
          </h2>
          <KindChip kind={row.kind} />
          <span className="flex-1" />
          <IconButton
            icon={ChevronLeft}
            label={words.previous}
            disabled={position <= 0}
            onClick={() => moveTo(position - 1)}
          />
          <IconButton
            icon={ChevronRight}
            label={words.next}
            disabled={position >= pairs.length - 1}
            onClick={() => moveTo(position + 1)}
          />
          <IconButton icon={X} label={text.common.close} onClick={onClose} />
        </header>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
        <div tabIndex={0} className="min-h-0 flex-1 space-y-5 overflow-y-auto p-5 -outline-offset-2">
          <div className="text-sm">
            {row.kind === 'same' && !row.replayed?.note ? <p>{words.alike}</p> : <Findings row={row} />}
          </div>
          <div className="grid grid-cols-2 gap-6 max-sm:grid-cols-1">
            <Side name={words.first} step={a} />
            <Side name={words.second} step={b} />
          </div>
          {a?.after && b?.after && a.after !== b.after && <Difference before={a.after} after={b.after} />}
        </div>
      </div>
    </Modal>
  )
}

function Side({ name, step }: { name: string; step: Step | undefined }) {
  const marks = useMemo(() => marksOf(step?.actions.map(({ act }) => act) ?? []), [step])
  const frame = step?.after ?? step?.before
  return (
    <section aria-label={name} className="min-w-0 space-y-3">
      <p className="text-sm text-muted">
        {name}
        {step && ` · ${text.task.step(step.index + 1)}`}
      </p>
      <Frame>
        {frame ? (
          <Picture frame={frame} alt={text.inspector.after} marks={marks} />
        ) : (
          <p className="absolute inset-0 grid place-content-center text-[oklch(0.86_0.01_85)]">
            {step ? text.inspector.noPicture : words.absent}
          </p>
        )}
      </Frame>
      {step && (
        <>
          <p className="font-medium wrap-anywhere">{step.thought}</p>
          <ol className="list-inside list-decimal space-y-1 text-sm text-muted">
            {step.actions.map(({ act, result }, index) => (
              <li key={index} className={`wrap-anywhere ${result.ok ? '' : 'text-fail'}`}>
                {describeAct(act)}
              </li>
            ))}
          </ol>
          {step.checks.length > 0 && <CheckList checks={step.checks} />}
        </>
      )}
    </section>
  )
}

function Difference({ before, after }: { before: string; after: string }) {
  const [share, setShare] = useState<number | null>(null)
  return (
    <figure className="mx-auto max-w-200">
      <figcaption className="mb-1.5 flex justify-between gap-3 text-sm">
        <span className="font-medium">{words.difference}</span>
        <span className="text-muted">{share === null ? stageText.diff.working : stageText.diff.share(share)}</span>
      </figcaption>
      <Frame>
        <DiffPicture before={before} after={after} onShare={setShare} />
      </Frame>
    </figure>
  )
}

function Frame({ children }: { children: ReactNode }) {
  return (
    <div className="screen w-full!" style={{ '--w': usualSize.width, '--h': usualSize.height } as CSSProperties}>
      {children}
    </div>
  )
}
