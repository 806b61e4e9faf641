import { X } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import type { Region } from '../../main/contract/geometry.ts'
import type { Task } from '../../main/contract/task.ts'
import { IconButton } from '../parts/Button.tsx'
import { ErrorNote } from '../parts/ErrorNote.tsx'
import { Modal } from '../parts/Modal.tsx'
import { usualSize } from '../task/Picture.tsx'
import { useTaskDetail } from '../task/useTaskDetail.ts'
import { tracesText } from '../text/traces.ts'
import { text } from '../text.ts'
import { type Draft, emptyDraft, redactionOf, shotsOf, usualReplacement } from './draft.ts'
import { ExportFoot } from './ExportFoot.tsx'
import { RectangleList } from './RectangleList.tsx'
import { ShotViewer } from './ShotViewer.tsx'
import { TextChanges } from './TextChanges.tsx'
import { usePreview } from './usePreview.ts'
import { WordsList } from './WordsList.tsx'

const words = tracesText.redact

/** Hides places and words, shows what would leave, and exports just that. */
export function RedactDialog({ task, onClose }: { task: Task; onClose: () => void }) {
  const { steps, fetched, error: missing } = useTaskDetail(task.id)
  const shots = useMemo(() => shotsOf(steps), [steps])
  const [draft, setDraft] = useState<Draft>(emptyDraft)
  const [chosen, setChosen] = useState<number | null>(null) // null: the last, which shows most
  const [size, setSize] = useState(usualSize)
  const lastId = useRef(0)
  const position = chosen ?? shots.length - 1
  const frame = shots[position]?.frame
  const redact = redactionOf(draft)
  const { preview, error, working } = usePreview(task.id, frame, redact)
  const change = (part: Partial<Draft>) => setDraft((old) => ({ ...old, ...part }))
  const addRectangle = (region: Region) =>
    change({ rectangles: [...draft.rectangles, { id: ++lastId.current, region, style: 'black', frame: null }] })
  const addWords = () =>
    change({
      words: [...draft.words, { id: ++lastId.current, text: '', match: 'text', replacement: usualReplacement }],
    })
  return (
    <Modal
      label={words.title}
      onClose={onClose}
      className="h-[min(92vh,60rem)] w-[min(94vw,90rem)] max-w-none overflow-hidden"
    >
      <div className="flex h-full flex-col">
        <header className="flex items-start gap-3 border-b border-line py-3 pr-3 pl-5">
          <div className="min-w-0 flex-1">
            <h2 className="font-semibold">{words.title}</h2>
            <p className="text-sm text-muted">{words.lead}</p>
          </div>
          <IconButton icon={X} label={text.common.close} onClick={onClose} />
        </header>
        <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)_clamp(17rem,30%,24rem)] max-sm:block max-sm:overflow-y-auto">
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
          <div tabIndex={0} className="min-h-0 space-y-4 overflow-y-auto p-5 -outline-offset-2">
            {missing && <ErrorNote error={missing} />}
            {error && <ErrorNote error={error} />}
            {!fetched && !missing ? (
              <p className="text-muted">{text.common.loading}</p>
            ) : (
              <ShotViewer
                shots={shots}
                position={position}
                preview={preview}
                working={working}
                draft={draft}
                size={size}
                onSize={setSize}
                onMove={setChosen}
                onDraw={addRectangle}
              />
            )}
            {preview && <TextChanges preview={preview} />}
          </div>
          <div className="min-h-0 space-y-6 overflow-y-auto border-l border-line p-5 max-sm:border-t max-sm:border-l-0">
            <WordsList words={draft.words} onChange={(next) => change({ words: next })} onAdd={addWords} />
            <RectangleList
              rectangles={draft.rectangles}
              frame={frame}
              size={size}
              onChange={(rectangles) => change({ rectangles })}
              onAdd={() =>
                addRectangle({
                  x: Math.round(size.width / 4),
                  y: Math.round(size.height / 4),
                  width: Math.round(size.width / 2),
                  height: Math.round(size.height / 8),
                })
              }
            />
          </div>
        </div>
        <ExportFoot taskId={task.id} redact={redact} broken={error !== null} />
      </div>
    </Modal>
  )
}
