import { ChevronLeft, ChevronRight, X } from 'lucide-react'
import { type CSSProperties, type KeyboardEvent, type ReactNode, useMemo, useState } from 'react'
import { describeAct } from '../../main/contract/action.ts'
import type { Step } from '../../main/contract/task.ts'
import { IconButton } from '../parts/Button.tsx'
import { Modal } from '../parts/Modal.tsx'
import { Segmented } from '../parts/Segmented.tsx'
import { stageText } from '../text/stage.ts'
import { text } from '../text.ts'
import { BootStepButton } from './BootStepButton.tsx'
import { CheckList } from './CheckList.tsx'
import { costOf } from './cost.ts'
import { DiffPicture } from './DiffPicture.tsx'
import { marksOf } from './marks.ts'
import { NoticeList } from './NoticeList.tsx'
import { Picture, usualSize } from './Picture.tsx'
import { TimingBar } from './TimingBar.tsx'
import { scrubTo } from './useScrubKeys.ts'
import { VerdictChip } from './VerdictChip.tsx'

const words = text.inspector

type Props = { step: Step; steps: readonly Step[]; onMove: (step: number) => void; onClose: () => void }

/** One step from all sides: the screen before and after, what was done, what was checked, where the time went. */
export function Inspector({ step, steps, onMove, onClose }: Props) {
  const position = steps.indexOf(step)
  const cost = costOf(step.usage)
  const moveTo = (next: number | null | undefined) => {
    const target = typeof next === 'number' ? steps[next] : undefined
    if (target) onMove(target.index)
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') return // the dialog's own way out
    if (event.target instanceof HTMLInputElement) return // the views are chosen with arrow keys too
    const next = scrubTo(event.key, position, steps.length)
    if (next === undefined) return
    event.preventDefault()
    moveTo(next ?? steps.length - 1)
  }
  return (
    <Modal
      label={text.task.stepOf(step.index + 1, steps.length)}
      onClose={onClose}
      className="h-[min(92vh,56rem)] w-[min(94vw,97rem)] max-w-none overflow-hidden"
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrow keys work wherever in the dialog the focus is */}
      <div onKeyDown={press} tabIndex={-1} data-first-focus className="flex h-full flex-col outline-none">
        <header className="flex items-center gap-3 border-b border-line py-2.5 pr-3 pl-5">
          <div className="min-w-0 flex-1">
            <p className="flex items-center gap-2 text-sm text-muted">
              {text.task.stepOf(step.index + 1, steps.length)}
              <VerdictChip verdict={step.verdict} />
            </p>
            <h2 className="mt-0.5 line-clamp-2 font-semibold wrap-anywhere" aria-live="polite">
              {step.thought}
            </h2>
          </div>
          <BootStepButton step={step} />
          <IconButton
            icon={ChevronLeft}
            label={words.previous}
            disabled={position <= 0}
            onClick={() => moveTo(position - 1)}
          />
          <IconButton
            icon={ChevronRight}
            label={words.next}
            disabled={position >= steps.length - 1}
            onClick={() => moveTo(position + 1)}
          />
          <IconButton icon={X} label={text.common.close} onClick={onClose} />
        </header>
        <div className="min-h-0 flex-1 space-y-5 overflow-y-auto p-5">
          <Pictures step={step} />
          <div className="grid grid-cols-2 gap-x-8 gap-y-5 max-md:grid-cols-1">
            <Part title={words.actions}>
              {step.actions.length === 0 ? (
                <p className="text-sm text-muted">{words.noActions}</p>
              ) : (
                <Actions step={step} />
              )}
            </Part>
            <div className="space-y-5">
              <Part title={words.checks}>
                {step.checks.length === 0 ? (
                  <p className="text-sm text-muted">{words.noChecks}</p>
                ) : (
                  <CheckList checks={step.checks} />
                )}
              </Part>
              {step.notices && (
                <Part title={words.notices}>
                  <NoticeList notices={step.notices} />
                </Part>
              )}
              <Part title={words.timing}>
                <TimingBar timing={step.timing} />
              </Part>
              <Part title={stageText.cost.label}>
                <p className="text-sm">{cost ?? <span className="text-muted">{stageText.cost.none}</span>}</p>
              </Part>
            </div>
          </div>
        </div>
      </div>
    </Modal>
  )
}

type View = 'both' | 'diff'
const views = (['both', 'diff'] as const).map((value) => ({ value, label: stageText.views[value] }))

function Pictures({ step }: { step: Step }) {
  const [view, setView] = useState<View>('both')
  const [share, setShare] = useState<number | null>(null)
  const marks = useMemo(() => marksOf(step.actions.map(({ act }) => act)), [step])
  const boxes = step.settle?.boxes ?? []
  const { before, after } = step
  return (
    <div className="space-y-3">
      {before && after && <Segmented label={stageText.views.label} value={view} options={views} onChange={setView} />}
      {view === 'diff' && before && after ? (
        <div className="mx-auto max-w-260">
          <Shot
            title={stageText.views.diff}
            note={share === null ? stageText.diff.working : stageText.diff.share(share)}
          >
            <DiffPicture before={before} after={after} onShare={setShare} />
          </Shot>
        </div>
      ) : (
        <div className="grid grid-cols-2 gap-4 max-md:grid-cols-1">
          <Shot title={words.before} note={marks.length > 0 ? words.touched : undefined}>
            {before && <Picture frame={before} alt={words.before} marks={marks} />}
          </Shot>
          <Shot title={words.after} note={boxes.length > 0 ? words.changed : undefined}>
            {after && <Picture frame={after} alt={words.after} boxes={boxes} />}
          </Shot>
        </div>
      )}
    </div>
  )
}

function Shot({ title, note, children }: { title: string; note?: string | undefined; children: ReactNode }) {
  return (
    <figure className="min-w-0">
      <figcaption className="mb-1.5 flex justify-between gap-3 text-sm">
        <span className="font-medium">{title}</span>
        {note && <span className="truncate text-muted">{note}</span>}
      </figcaption>
      <div className="screen w-full!" style={{ '--w': usualSize.width, '--h': usualSize.height } as CSSProperties}>
        {children || (
          <p className="absolute inset-0 grid place-content-center text-[oklch(0.86_0.01_85)]">{words.noPicture}</p>
        )}
      </div>
    </figure>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-2 text-sm font-semibold">{title}</h3>
      {children}
    </section>
  )
}

function Actions({ step }: { step: Step }) {
  return (
    <ol className="space-y-2 text-sm">
      {step.actions.map(({ act, result }, index) => (
        <li key={index} className="flex gap-2.5">
          <span className="grid size-5 shrink-0 place-items-center rounded-full bg-ink/7 text-xs text-muted tabular-nums">
            {index + 1}
          </span>
          <div className="min-w-0 flex-1">
            <p className="wrap-anywhere">{describeAct(act)}</p>
            {result.text && (
              <pre className="mt-1 max-h-40 overflow-auto rounded-md bg-sunken p-2 font-mono text-xs whitespace-pre-wrap wrap-anywhere">
                {result.text}
              </pre>
            )}
            {result.error && <p className="text-fail">{result.error.message}</p>}
          </div>
        </li>
      ))}
    </ol>
  )
}
