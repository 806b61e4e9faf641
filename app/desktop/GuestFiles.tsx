import { ArrowUp, Download, File, Folder, RefreshCw, ShieldQuestionMark } from 'lucide-react'
import { type FormEvent, useEffect, useState } from 'react'
import type { GuestFile } from '../../main/contract/guest-files.ts'
import { IconButton } from '../parts/Button.tsx'
import { ErrorNote } from '../parts/ErrorNote.tsx'
import { stageText } from '../text/stage.ts'
import { bytes, exactMoment } from '../time/format.ts'
import { useFolder } from './useFolder.ts'

const words = stageText.files
const home = '/home/user'

/** A look through the guest's folders. A file is saved by a press, or dragged out of the window. */
export function GuestFiles({ machineId, name }: { machineId: string; name: string }) {
  const [path, setPath] = useState(home)
  const { folder, error, busy, refresh } = useFolder(machineId, path)
  return (
    <section aria-label={words.label(name)} className="flex h-full min-h-0 flex-col bg-surface">
      <Address key={path} path={path} busy={busy} onGo={setPath} onRefresh={refresh} />
      {error && (
        <div className="p-3">
          <ErrorNote error={error} />
        </div>
      )}
      {!folder && !error && <p className="p-4 text-sm text-muted">{words.loading}</p>}
      {folder && (
        <ul className="min-h-0 flex-1 overflow-y-auto p-1.5">
          {folder.files.length === 0 && <li className="p-3 text-sm text-muted">{words.empty}</li>}
          {folder.files.map((file) => (
            <li key={file.name} className="task-row">
              <Entry file={file} machineId={machineId} path={join(path, file.name)} onOpen={setPath} />
            </li>
          ))}
          {folder.more && <li className="p-3 text-sm text-muted">{words.more}</li>}
        </ul>
      )}
      <p className="border-t border-line px-4 py-2 text-xs text-muted">{words.drag}</p>
    </section>
  )
}

type AddressProps = { path: string; busy: boolean; onGo: (path: string) => void; onRefresh: () => void }

function Address({ path, busy, onGo, onRefresh }: AddressProps) {
  const [typed, setTyped] = useState(path)
  useEffect(() => setTyped(path), [path])
  const go = (event: FormEvent) => {
    event.preventDefault()
    if (typed === path) onRefresh()
    else onGo(typed.trim() || '/')
  }
  return (
    <form onSubmit={go} className="flex items-center gap-1 border-b border-line p-1.5">
      <IconButton icon={ArrowUp} label={words.up} disabled={path === '/'} onClick={() => onGo(above(path))} />
      <input
        aria-label={words.path}
        value={typed}
        spellCheck={false}
        onChange={(event) => setTyped(event.target.value)}
        className="h-8 min-w-0 flex-1 rounded-md bg-raised px-2.5 font-mono text-sm ring-1 ring-line ring-inset"
      />
      <IconButton icon={RefreshCw} label={words.refresh} busy={busy} onClick={onRefresh} />
    </form>
  )
}

type EntryProps = { file: GuestFile; machineId: string; path: string; onOpen: (path: string) => void }
const look = 'flex w-full items-center gap-2.5 rounded-md px-2.5 py-1.5 text-left text-sm hover:bg-ink/7'

function Entry({ file, machineId, path, onOpen }: EntryProps) {
  const facts = (
    <>
      <span className="min-w-0 flex-1 truncate">{file.name}</span>
      <span className="text-xs text-muted tabular-nums" title={exactMoment(file.modifiedAt)}>
        {file.kind === 'file' && bytes(file.bytes)}
      </span>
    </>
  )
  if (file.kind === 'folder')
    return (
      <button type="button" aria-label={words.open(file.name)} onClick={() => onOpen(path)} className={look}>
        <Folder size={16} aria-hidden="true" className="shrink-0 text-lapis" />
        {facts}
      </button>
    )
  if (file.kind === 'other')
    return (
      <span className={`${look} text-muted`}>
        <ShieldQuestionMark size={16} aria-hidden="true" className="shrink-0" />
        {facts}
      </span>
    )
  const url = `/files/${encodeURIComponent(machineId)}?path=${encodeURIComponent(path)}`
  return (
    <a
      href={url}
      download={file.name}
      aria-label={words.save(file.name)}
      // Understood by Chromium and Electron: dropped on the desktop or in a folder, the file is saved there.
      onDragStart={(event) =>
        event.dataTransfer.setData(
          'DownloadURL',
          `application/octet-stream:${file.name.replaceAll(':', '_')}:${new URL(url, window.location.href).href}`,
        )
      }
      className={`group ${look}`}
    >
      <File size={16} aria-hidden="true" className="shrink-0 text-muted" />
      {facts}
      <Download
        size={14}
        aria-hidden="true"
        className="shrink-0 opacity-0 group-hover:opacity-100 group-focus:opacity-100"
      />
    </a>
  )
}

const join = (folder: string, name: string) => `${folder === '/' ? '' : folder.replace(/\/+$/, '')}/${name}`
const above = (path: string) => path.replace(/\/+$/, '').replace(/\/[^/]*$/, '') || '/'
