import { Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { Keys } from '../parts/Keys.tsx'
import { Modal } from '../parts/Modal.tsx'
import { useStore } from '../state/store.ts'
import { text } from '../text.ts'
import { commands } from './all.ts'
import { type Command, isPossible } from './command.ts'
import { show } from './overlay.ts'
import { findCommands } from './search.ts'
import { taskCommands } from './tasks.ts'
import { whereNow } from './useShortcuts.ts'

const words = text.commands.palette
const mostTasks = 6

/** Everything that can be done here and now, found by typing. */
export function Palette() {
  const tasks = useStore((store) => store.tasks)
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const listId = useId()
  const [where] = useState(whereNow)
  const found = useMemo(() => {
    const possible = commands.filter((command) => command.id !== 'help.commands' && isPossible(command, where))
    const named = query.trim() === '' ? [] : findCommands(taskCommands(tasks), query).slice(0, mostTasks)
    return [...findCommands(possible, query), ...named]
  }, [query, tasks, where])
  const chosen = found[Math.min(at, found.length - 1)]

  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  const close = () => show(null)
  const perform = (command: Command) => {
    close()
    void command.perform(where)
  }
  const press = (event: KeyboardEvent) => {
    const last = found.length - 1
    const moves: Record<string, number> = {
      ArrowDown: at >= last ? 0 : at + 1,
      ArrowUp: at <= 0 ? last : at - 1,
      PageDown: Math.min(last, at + 8),
      PageUp: Math.max(0, at - 8),
    }
    const next = moves[event.key]
    if (next === undefined && event.key !== 'Enter') return
    event.preventDefault()
    if (next !== undefined) setAt(Math.max(0, next))
    else if (chosen) perform(chosen)
  }

  return (
    <Modal label={words.title} onClose={close} className="mt-[12vh] mb-auto w-150 max-w-[calc(100vw-32px)]">
      <div className="flex items-center gap-3 border-b border-line px-4">
        <Search size={18} aria-hidden="true" className="shrink-0 text-muted" />
        <input
          data-first-focus
          role="combobox"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={chosen ? `${listId}-${chosen.id}` : undefined}
          aria-label={words.search}
          autoComplete="off"
          spellCheck={false}
          value={query}
          placeholder={words.placeholder}
          onChange={(event) => {
            setQuery(event.target.value)
            setAt(0)
          }}
          onKeyDown={press}
          className="h-13 min-w-0 flex-1 bg-transparent text-lg outline-none placeholder:text-muted"
        />
      </div>
      <div
        ref={list}
        id={listId}
        role="listbox"
        aria-label={words.title}
        className="max-h-[56vh] overflow-y-auto p-1.5"
      >
        {found.map((command, index) => (
          <Row
            key={command.id}
            id={`${listId}-${command.id}`}
            command={command}
            chosen={command === chosen}
            onPoint={() => setAt(index)}
            onPerform={() => perform(command)}
          />
        ))}
      </div>
      {found.length === 0 && <p className="px-4 pb-5 text-center text-muted">{words.none}</p>}
      <p className="border-t border-line px-4 py-2 text-xs text-muted">{words.hint}</p>
    </Modal>
  )
}

type RowProps = { id: string; command: Command; chosen: boolean; onPoint: () => void; onPerform: () => void }

function Row({ id, command, chosen, onPoint, onPerform }: RowProps) {
  const { icon: Icon, label, group, shortcut } = command
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the focus, and its Enter does the same.
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={chosen}
      onMouseMove={onPoint}
      onClick={onPerform}
      className={`flex items-center gap-3 rounded-md px-3 py-2 ${chosen ? 'bg-ink/8' : ''}`}
    >
      <span className="grid size-5 shrink-0 place-items-center text-muted">
        {Icon && <Icon size={16} aria-hidden="true" />}
      </span>
      <span className="min-w-0 flex-1 truncate">{label}</span>
      <span className="shrink-0 text-xs text-muted">
        {command.id.startsWith('open.') ? words.tasks : text.commands.groups[group]}
      </span>
      {shortcut && <Keys shortcut={shortcut} />}
    </div>
  )
}
