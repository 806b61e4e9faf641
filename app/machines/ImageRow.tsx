import { Play, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Image } from '../../main/contract/image.ts'
import { Button, IconButton } from '../parts/Button.tsx'
import { Chip } from '../parts/Chip.tsx'
import { Confirm } from '../parts/Confirm.tsx'
import { text } from '../text.ts'
import { ago, bytes } from '../time/format.ts'
import { useMachineCommands } from './useMachineCommands.ts'

const words = text.images

type Props = { image: Image; now: number; current: boolean; inUse: boolean; onRemove: () => void }

/** `current`: machines asked for by this name get this one; the others are older. */
export function ImageRow({ image, now, current, inUse, onRemove }: Props) {
  const { createFrom, busy, connected } = useMachineCommands()
  const [asking, setAsking] = useState(false)
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2">
          <span className="truncate font-medium">{image.name}</span>
          <Chip tone={image.origin === 'ours' ? 'plain' : 'lapis'}>{words.origins[image.origin]}</Chip>
          {!current && <Chip tone="warn">{words.older}</Chip>}
          {!image.exec && <Chip>{words.noExec}</Chip>}
        </p>
        <p className="truncate text-sm text-muted" title={image.diskSha256}>
          {words.facts(bytes(image.bytes), ago(image.builtAt, now), image.key.slice(0, 12))}
        </p>
      </div>
      {current && (
        <Button
          size="sm"
          icon={Play}
          busy={busy === 'create'}
          disabled={!connected}
          onClick={() => createFrom(image.name)}
        >
          {words.start}
        </Button>
      )}
      <IconButton
        size="sm"
        look="danger"
        icon={Trash2}
        label={inUse ? words.inUse : `${words.remove} ${image.id}`}
        disabled={!connected || inUse}
        onClick={() => setAsking(true)}
      />
      {asking && (
        <Confirm
          title={words.removeTitle(image.id)}
          detail={image.origin === 'imported' ? words.removeImported : words.removeBuilt}
          action={words.remove}
          onConfirm={onRemove}
          onClose={() => setAsking(false)}
        />
      )}
    </li>
  )
}
