import { text } from '../text.ts'
import { Button } from './Button.tsx'
import { Modal } from './Modal.tsx'

type Props = { title: string; detail: string; action: string; onConfirm: () => void; onClose: () => void }

export function Confirm({ title, detail, action, onConfirm, onClose }: Props) {
  const confirm = () => {
    onClose()
    onConfirm()
  }
  return (
    <Modal label={title} onClose={onClose} className="w-104 max-w-[calc(100vw-32px)]">
      <div className="space-y-4 p-5">
        <div className="space-y-1.5">
          <h2 className="text-lg font-semibold">{title}</h2>
          <p className="text-muted">{detail}</p>
        </div>
        <div className="flex justify-end gap-2">
          <Button data-first-focus onClick={onClose}>
            {text.common.cancel}
          </Button>
          <Button look="danger" onClick={confirm}>
            {action}
          </Button>
        </div>
      </div>
    </Modal>
  )
}
