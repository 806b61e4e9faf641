import { useEffect, useState } from 'react'
import { Button } from '../parts/Button.tsx'
import { Confirm } from '../parts/Confirm.tsx'
import { ErrorNote } from '../parts/ErrorNote.tsx'
import { Field } from '../parts/Field.tsx'
import { call } from '../state/engine.ts'
import { tracesText } from '../text/traces.ts'
import { text } from '../text.ts'
import { bytes } from '../time/format.ts'
import { Card } from './Card.tsx'
import { ExpiredList } from './ExpiredList.tsx'
import { policyOf, type TypedPolicy, typedOf } from './policy.ts'
import { useAsked } from './useAsked.ts'
import { useBusy } from './useBusy.ts'
import { useExpired } from './useExpired.ts'

const words = tracesText.retention
const limits = ['maxAgeDays', 'maxTraces', 'maxGb'] as const

/** How long traces stay, with what would go before anything does. */
export function Retention({ unusedBytes, onFreed }: { unusedBytes: number; onFreed: () => void }) {
  const { answer, setAnswer, error } = useAsked('retention.get', {})
  const { busy, during } = useBusy()
  const [typed, setTyped] = useState<TypedPolicy>(typedOf(null))
  const [asking, setAsking] = useState(false)
  useEffect(() => {
    if (answer) setTyped(typedOf(answer.policy))
  }, [answer])
  const policy = policyOf(typed)
  const { expired, working, error: refused, lookAgain } = useExpired(policy)
  const size = bytes(expired.reduce((sum, one) => sum + one.bytes, 0))
  const save = async (done?: () => string) => {
    const saved = await during(() => call('retention.set', { policy }), done)
    if (saved) setAnswer(saved)
    return saved !== undefined
  }
  const apply = async (said: (traces: number, size: string) => string) => {
    await during(
      () => call('retention.apply', {}),
      (freed) => said(freed.traces, bytes(freed.bytes)),
    )
    lookAgain()
    onFreed()
  }
  const set = (part: Partial<TypedPolicy>) => setTyped({ ...typed, ...part })
  return (
    <Card title={words.title} detail={words.lead}>
      {error && <ErrorNote error={error} />}
      {refused && <ErrorNote error={refused} />}
      <form
        className="space-y-3"
        onSubmit={(event) => {
          event.preventDefault()
          void save(() => text.settings.saved)
        }}
      >
        <div className="flex flex-wrap items-start gap-3">
          {limits.map((limit) => (
            <Field
              key={limit}
              label={words[limit]}
              type="number"
              min={0}
              step={limit === 'maxTraces' ? 1 : 'any'}
              value={typed[limit]}
              placeholder={words.noLimit}
              disabled={!answer} // what comes then would overwrite what was typed
              onChange={(event) => set({ [limit]: event.target.value })}
              className="w-28"
            />
          ))}
          <Field
            label={words.keepTags}
            hint={words.keepTagsHint}
            value={typed.keepTags}
            disabled={!answer}
            onChange={(event) => set({ keepTags: event.target.value })}
            className="w-56 max-w-full"
          />
        </div>
        <div role="status" className="rounded-md bg-sunken px-3 py-2.5">
          {!answer ? (
            <span className="text-muted">{text.common.loading}</span>
          ) : !policy ? (
            words.keepsAll
          ) : working ? (
            <span className="text-muted">{words.working}</span>
          ) : expired.length === 0 ? (
            words.nothing
          ) : (
            <span className="font-medium">{words.wouldGo(expired.length, size)}</span>
          )}
        </div>
        {policy && expired.length > 0 && <ExpiredList expired={expired} />}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" look="primary" busy={busy} disabled={!answer}>
            {words.save}
          </Button>
          {policy && (
            <Button
              look="danger"
              busy={busy}
              disabled={!answer || working || expired.length === 0}
              onClick={() => setAsking(true)}
            >
              {words.apply}
            </Button>
          )}
          {answer?.policy === null && unusedBytes > 0 && (
            <Button busy={busy} onClick={() => void apply((_, freed) => words.swept(freed))}>
              {words.sweep(bytes(unusedBytes))}
            </Button>
          )}
        </div>
      </form>
      {asking && (
        <Confirm
          title={words.applyTitle(expired.length)}
          detail={words.applyDetail(size)}
          action={words.applyAction}
          onConfirm={async () => {
            if (await save()) await apply(words.applied)
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </Card>
  )
}
