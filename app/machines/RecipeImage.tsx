import { type FormEvent, useState } from 'react'
import type { BuildImage } from '../../main/contract/image.ts'
import { Button } from '../parts/Button.tsx'
import { Field } from '../parts/Field.tsx'
import { Modal } from '../parts/Modal.tsx'
import { Segmented } from '../parts/Segmented.tsx'
import { text } from '../text.ts'

const words = text.images

type Props = { onBuild: (wish: BuildImage) => void; onClose: () => void }
type What = 'desktop' | 'minimal' | 'recipe'

export function RecipeImage({ onBuild, onClose }: Props) {
  const [what, setWhat] = useState<What>('desktop')
  const [folder, setFolder] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onBuild(what === 'recipe' ? { recipe: folder.trim() } : { variant: what })
    onClose()
  }
  return (
    <Modal label={words.buildTitle} onClose={onClose} className="w-120 max-w-[calc(100vw-32px)]">
      <form className="space-y-4 p-5" onSubmit={submit}>
        <div className="space-y-1.5">
          <h2 className="text-lg font-semibold">{words.buildTitle}</h2>
          <p className="text-muted">{words.buildDetail}</p>
        </div>
        <Segmented label={words.buildTitle} options={words.kinds} value={what} onChange={setWhat} />
        {what === 'recipe' && (
          <Field
            label={words.folder}
            hint={words.folderHint}
            required
            value={folder}
            onChange={(event) => setFolder(event.target.value)}
          />
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{text.common.cancel}</Button>
          <Button look="primary" type="submit" disabled={what === 'recipe' && !folder.trim()}>
            {words.buildNow}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
