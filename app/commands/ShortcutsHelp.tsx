import { Keys } from '../parts/Keys.tsx'
import { Modal } from '../parts/Modal.tsx'
import { text } from '../text.ts'
import { commands } from './all.ts'
import type { Group } from './command.ts'
import { show } from './overlay.ts'

const groups: readonly Group[] = ['here', 'do', 'go', 'look', 'help']

export function ShortcutsHelp() {
  const keyed = commands.flatMap((command) =>
    command.shortcut === undefined ? [] : [{ ...command, shortcut: command.shortcut }],
  )
  return (
    <Modal label={text.commands.help.title} onClose={() => show(null)} className="w-130 max-w-[calc(100vw-32px)]">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys. */}
      <div tabIndex={0} className="max-h-[80vh] overflow-y-auto p-5 outline-none">
        <h2 className="text-lg font-semibold">{text.commands.help.title}</h2>
        {groups
          .map((group) => ({ group, listed: keyed.filter((command) => command.group === group) }))
          .filter(({ listed }) => listed.length > 0)
          .map(({ group, listed }) => (
            <section key={group} aria-label={text.commands.groups[group]} className="mt-4">
              <h3 className="text-sm text-muted">{text.commands.groups[group]}</h3>
              <ul className="mt-1 divide-y divide-line">
                {listed.map(({ id, label, shortcut }) => (
                  <li key={id} className="flex items-center justify-between gap-4 py-1.5">
                    {label}
                    <Keys shortcut={shortcut} />
                  </li>
                ))}
              </ul>
            </section>
          ))}
      </div>
    </Modal>
  )
}
