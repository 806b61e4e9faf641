import { CircleHelp, type LucideIcon, ShieldQuestionMark } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { type Act, describeAct } from '../../main/contract/action.ts'
import type { ApprovalAnswer, Task, WaitingFor } from '../../main/contract/task.ts'
import { Button } from '../parts/Button.tsx'
import { call } from '../state/engine.ts'
import { tracesText } from '../text/traces.ts'
import { text } from '../text.ts'
import { ConsequenceView } from './ConsequenceView.tsx'
import { useTaskCommand } from './useTaskCommand.ts'
import { WordsForm } from './WordsForm.tsx'

const words = text.task.waitingFor

type Props = { task: Task; waitingFor: WaitingFor; onAnswered: () => void }

/** What the task cannot go on without. It takes no focus by itself: a key meant for something else must not answer it. */
export function WaitingCard({ task, waitingFor, onAnswered }: Props) {
  if (waitingFor.kind === 'approval')
    return (
      <Card icon={ShieldQuestionMark} title={words.approval} foot={<Answers task={task} onAnswered={onAnswered} />}>
        <Wanted waitingFor={waitingFor} />
        {waitingFor.consequence && <ConsequenceView consequence={waitingFor.consequence} />}
      </Card>
    )
  return (
    <Card icon={CircleHelp} title={words.question}>
      <p className="max-h-32 overflow-y-auto whitespace-pre-wrap wrap-anywhere">{waitingFor.text}</p>
      {waitingFor.answers ? (
        <KnownAnswers task={task} answers={waitingFor.answers} onAnswered={onAnswered} />
      ) : (
        <WordsForm
          label={words.answer}
          placeholder={words.answerPlaceholder}
          button={words.sendAnswer}
          onSend={(said) => call('task.answer', { taskId: task.id, text: said })}
          onSent={onAnswered}
        />
      )}
    </Card>
  )
}

type CardProps = { icon: LucideIcon; title: string; foot?: ReactNode; children: ReactNode }

/** However much there is to read, the answers at its foot stay in sight. */
function Card({ icon: Icon, title, foot, children }: CardProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="arrive flex max-h-[60%] shrink-0 flex-col gap-3 rounded-lg bg-surface p-4 shadow-lift ring-2 ring-gold"
    >
      <h2 id={id} className="flex items-center gap-2.5 font-semibold">
        <Icon size={18} aria-hidden="true" className="shrink-0 text-warn" />
        {title}
      </h2>
      <div className="min-h-0 space-y-3 overflow-y-auto p-0.5">{children}</div>
      {foot}
    </section>
  )
}

function Wanted({ waitingFor: { acts, risks } }: { waitingFor: Extract<WaitingFor, { kind: 'approval' }> }) {
  const reasons = [...new Set(risks.map(({ why }) => why))]
  return (
    <div className="space-y-2 text-sm">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it can be longer than its place, and the keyboard must reach the rest */}
      <ol tabIndex={0} aria-label={words.wanted} className="max-h-32 space-y-1 overflow-y-auto">
        {acts.map((act, index) => (
          <li key={index} className="flex gap-2.5">
            <span className="grid size-5 shrink-0 place-items-center rounded-full bg-ink/7 text-xs text-muted tabular-nums">
              {index + 1}
            </span>
            <div className="min-w-0 wrap-anywhere">{wholeAct(act)}</div>
          </li>
        ))}
      </ol>
      {reasons.length > 0 && (
        <p className="wrap-anywhere text-muted">
          <span className="font-medium text-warn">{words.why}</span> {reasons.join(' ')}
        </p>
      )}
    </div>
  )
}

/** Elsewhere long commands and texts are cut short; what one gives leave for is read to its end. */
function wholeAct(act: Act): ReactNode {
  const whole = act.type === 'exec' ? act.command : act.type === 'type' || act.type === 'write_file' ? act.text : null
  const short = describeAct(act)
  if (whole === null || (act.type !== 'write_file' && short.includes(whole))) return short
  return (
    <>
      {short}
      <pre className="mt-1 rounded-md bg-sunken p-2 font-mono text-xs whitespace-pre-wrap wrap-anywhere">{whole}</pre>
    </>
  )
}

function Answers({ task, onAnswered }: { task: Task; onAnswered: () => void }) {
  const { send, busy, connected } = useTaskCommand()
  const say = (answer: ApprovalAnswer) => async () => {
    if (await send(() => call('task.approve', { taskId: task.id, answer }))) onAnswered()
  }
  const off = busy || !connected
  return (
    <div className="flex flex-wrap gap-2">
      <Button look="primary" disabled={off} onClick={say('allow')}>
        {words.allow}
      </Button>
      <Button disabled={off} title={words.allowAllDetail} onClick={say('allow_all')}>
        {words.allowAll}
      </Button>
      <Button look="danger" disabled={off} onClick={say('deny')} className="ml-auto">
        {words.deny}
      </Button>
    </div>
  )
}

type KnownProps = { task: Task; answers: readonly string[]; onAnswered: () => void }

/** Where only certain words are understood, they are buttons. */
function KnownAnswers({ task, answers, onAnswered }: KnownProps) {
  const { send, busy, connected } = useTaskCommand()
  const say = (answer: string) => async () => {
    if (await send(() => call('task.answer', { taskId: task.id, text: answer }))) onAnswered()
  }
  return (
    <div className="flex flex-wrap gap-2">
      {answers.map((answer, index) => (
        <Button
          key={answer}
          look={index === 0 ? 'primary' : 'plain'}
          disabled={busy || !connected}
          onClick={say(answer)}
        >
          {tracesText.replay.answers[answer] ?? answer}
        </Button>
      ))}
    </div>
  )
}
