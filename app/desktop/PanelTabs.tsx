import { FolderOpen, ListChecks, type LucideIcon, Monitor, SquareTerminal } from 'lucide-react'
import type { Panel } from '../route/route.ts'
import { stageText } from '../text/stage.ts'

const words = stageText.panels

type Props = { first: string; panel: Panel | undefined; onChoose: (panel: Panel | undefined) => void }

/** What lies beside the desktop. */
export function PanelTabs({ first, panel, onChoose }: Props) {
  const tabs: { value: Panel | undefined; label: string; icon: LucideIcon }[] = [
    { value: undefined, label: first, icon: first === words.steps ? ListChecks : Monitor },
    { value: 'terminal', label: words.terminal, icon: SquareTerminal },
    { value: 'files', label: words.files, icon: FolderOpen },
  ]
  return (
    <nav aria-label={words.label} className="flex shrink-0 gap-1 border-b border-line px-2 pt-1.5">
      {tabs.map(({ value, label, icon: Icon }) => (
        <button
          key={label}
          type="button"
          aria-pressed={panel === value}
          onClick={() => onChoose(value)}
          className={`-mb-px flex items-center gap-1.5 rounded-t-md border-b-2 px-2.5 py-1.5 text-sm transition-colors ${panel === value ? 'border-gold font-medium text-ink' : 'border-transparent text-muted hover:text-ink'}`}
        >
          <Icon size={14} aria-hidden="true" />
          {label}
        </button>
      ))}
    </nav>
  )
}
