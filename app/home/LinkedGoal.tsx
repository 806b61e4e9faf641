import { Button } from '../parts/Button.tsx'
import { Modal } from '../parts/Modal.tsx'
import { text } from '../text.ts'

const words = text.home.linked

type Props = { goal: string; onTake: () => void; onIgnore: () => void }

/** Anyone can make a link: what one brings is read by the person first, and even then only put into the composer. */
export function LinkedGoal({ goal, onTake, onIgnore }: Props) {
  return (
    <Modal label={words.title} onClose={onIgnore} className="w-130 max-w-[calc(100vw-32px)]">
      <div className="space-y-4 p-5">
        <h2 className="text-lg font-semibold">{words.title}</h2>
        <blockquote className="max-h-[40vh] overflow-y-auto rounded-md bg-sunken p-3 wrap-anywhere whitespace-pre-wrap">
          {goal}
        </blockquote>
        <p className="text-muted">{words.detail}</p>
        <div className="flex justify-end gap-2">
          <Button data-first-focus onClick={onIgnore}>
            {words.ignore}
          </Button>
          <Button look="primary" onClick={onTake}>
            {words.take}
          </Button>
        </div>
      </div>
    </Modal>
  )
}
