import { useEffect, useState } from 'react'
import { Button } from '../parts/Button.tsx'
import { ErrorNote } from '../parts/ErrorNote.tsx'
import { Field } from '../parts/Field.tsx'
import { ProgressBar } from '../parts/ProgressBar.tsx'
import { call } from '../state/engine.ts'
import { text } from '../text.ts'
import { bytes } from '../time/format.ts'
import { Card } from './Card.tsx'
import { TraceStorage } from './TraceStorage.tsx'
import { useAsked } from './useAsked.ts'
import { useBusy } from './useBusy.ts'
import { useSettings } from './useSettings.ts'

const words = text.settings.storage
const GB = 1024 ** 3

export function Storage() {
  const { answer, error, ask } = useAsked('snapshot.usage', {})
  const { inForce } = useSettings()
  const [folder, setFolder] = useState<string | null>(null)
  const { busy, during } = useBusy()
  const [budget, setBudget] = useState('')
  const [target, setTarget] = useState('')
  useEffect(() => {
    if (answer) setBudget(String(Math.round((answer.budgetBytes / GB) * 10) / 10))
  }, [answer])
  const used = answer?.snapshots.reduce((sum, { ownBytes }) => sum + ownBytes, 0) ?? 0
  const then = async (work: () => Promise<unknown>) => {
    await work()
    await ask()
  }
  const collect = () =>
    during(
      () => call('snapshot.collect', {}),
      ({ beforeBytes, afterBytes }) =>
        beforeBytes > afterBytes ? words.collected(bytes(beforeBytes - afterBytes)) : words.nothingToCollect,
    )
  const compress = () =>
    during(
      () => call('snapshot.compress', {}),
      ({ savedBytes }) => words.compressed(bytes(savedBytes)),
    )
  const move = async () => {
    const moved = await during(
      () => call('snapshot.move', { folder: target.trim() }),
      (to) => words.moved(to.folder),
    )
    if (!moved) return
    setFolder(moved.folder)
    setTarget('')
  }
  return (
    <>
      <p className="text-muted">{words.lead}</p>
      {error && <ErrorNote error={error} />}
      {answer && (
        <Card>
          <p className="font-medium">{words.used(bytes(used), bytes(answer.budgetBytes))}</p>
          <ProgressBar
            label={words.used(bytes(used), bytes(answer.budgetBytes))}
            progress={{ step: '', done: used, total: Math.max(1, answer.budgetBytes) }}
          />
          <form
            className="flex flex-wrap items-end gap-3"
            onSubmit={(event) => {
              event.preventDefault()
              const wish = { bytes: Math.round(Number(budget) * GB) }
              void then(() =>
                during(
                  () => call('snapshot.budget', wish),
                  () => text.settings.saved,
                ),
              )
            }}
          >
            <Field
              label={words.budget}
              type="number"
              required
              min={0}
              step="any"
              value={budget}
              onChange={(event) => setBudget(event.target.value)}
              className="w-28"
            />
            <Button type="submit" look="primary" busy={busy}>
              {text.settings.save}
            </Button>
            <Button busy={busy} onClick={() => void then(collect)}>
              {words.collect}
            </Button>
            <Button busy={busy} onClick={() => void then(compress)}>
              {words.compress}
            </Button>
          </form>
        </Card>
      )}
      <Card title={words.folder} {...(inForce ? { detail: folder ?? inForce.snapshotFolder } : {})}>
        <form
          className="flex flex-wrap items-end gap-3"
          onSubmit={(event) => {
            event.preventDefault()
            void then(move)
          }}
        >
          <Field
            label={words.move}
            required
            value={target}
            placeholder={words.movePlaceholder}
            onChange={(event) => setTarget(event.target.value)}
            className="w-96 max-w-full"
          />
          <Button type="submit" busy={busy} disabled={!target.trim()}>
            {words.moveAction}
          </Button>
        </form>
      </Card>
      <TraceStorage />
    </>
  )
}
