import { File, X } from 'lucide-react'
import { ATTACHED_FOLDER, type Attachment } from '../../main/contract/attachment.ts'
import { IconButton } from '../parts/Button.tsx'
import { text } from '../text.ts'
import { bytes as sizeOf } from '../time/format.ts'

type Props = { files: readonly Attachment[]; onRemove: (id: string) => void }

export function AttachedFiles({ files, onRemove }: Props) {
  if (files.length === 0) return null
  return (
    <div className="flex flex-wrap items-center gap-2 px-3 pb-3 text-sm">
      <ul aria-label={text.home.attached} className="contents">
        {files.map(({ id, name, bytes }) => (
          <li key={id} className="flex max-w-72 items-center gap-1.5 rounded-md bg-ink/6 pl-2.5">
            <File size={14} aria-hidden="true" className="shrink-0 text-muted" />
            <span className="truncate">{name}</span>
            <span className="shrink-0 text-xs text-muted">{sizeOf(bytes)}</span>
            <IconButton size="sm" icon={X} label={text.home.detach(name)} onClick={() => onRemove(id)} />
          </li>
        ))}
      </ul>
      <span className="text-xs text-muted">{text.home.attachedLead(ATTACHED_FOLDER)}</span>
    </div>
  )
}
