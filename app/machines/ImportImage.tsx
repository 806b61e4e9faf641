import { type FormEvent, useState } from 'react'
import type { Input } from '../../main/contract/rpc.ts'
import { Button } from '../parts/Button.tsx'
import { Field } from '../parts/Field.tsx'
import { Modal } from '../parts/Modal.tsx'
import { text } from '../text.ts'

const words = text.images

type Props = { onImport: (wish: Input<'image.import'>) => void; onClose: () => void }

export function ImportImage({ onImport, onClose }: Props) {
  const [file, setFile] = useState('')
  const [name, setName] = useState('')
  const [user, setUser] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onImport({ file: file.trim(), name: name.trim(), ...(user.trim() ? { sshUser: user.trim() } : {}) })
    onClose()
  }
  return (
    <Modal label={words.importTitle} onClose={onClose} className="w-120 max-w-[calc(100vw-32px)]">
      <form className="space-y-4 p-5" onSubmit={submit}>
        <div className="space-y-1.5">
          <h2 className="text-lg font-semibold">{words.importTitle}</h2>
          <p className="text-muted">{words.importDetail}</p>
        </div>
        <Field
          label={words.file}
          hint={words.fileHint}
          data-first-focus
          required
          value={file}
          onChange={(event) => setFile(event.target.value)}
        />
        <Field
          label={words.name}
          hint={words.nameHint}
          required
          pattern="[a-z0-9](-?[a-z0-9])*"
          maxLength={40}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Field
          label={words.sshUser}
          hint={words.sshUserHint}
          value={user}
          onChange={(event) => setUser(event.target.value)}
        />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{text.common.cancel}</Button>
          <Button look="primary" type="submit" disabled={!file.trim() || !name.trim()}>
            {words.importNow}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
