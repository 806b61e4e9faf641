import type { StateDiff } from './state-diff.ts'

/** The difference as sentences, the weightiest first. Empty when nothing changed but the screen. */
export function describeDiff(diff: StateDiff): string[] {
  const { files, packages, ports, processes, windows } = diff
  return [
    ...listed('Removed the file', 'files', files.removed, ({ path }) => path),
    ...listed('Changed the file', 'files', files.changed, ({ path }) => path),
    ...listed('Added the file', 'files', files.added, ({ path, bytes }) => `${path} (${bytes} bytes)`),
    ...listed('Installed', 'packages', packages.installed, ({ name, version }) => `${name} ${version}`),
    ...listed('Removed the package', 'packages', packages.removed, ({ name }) => name),
    ...listed(
      'Changed the package',
      'packages',
      packages.changed,
      ({ name, before, after }) => `${name} ${before} → ${after}`,
    ),
    ...listed(
      'Now listens on',
      'ports',
      ports.opened,
      ({ address, process }) => `${address}${process && ` (${process})`}`,
    ),
    ...listed('No longer listens on', 'ports', ports.closed, ({ address }) => address),
    ...listed('Opened the window', 'windows', windows.opened, ({ title }) => `“${title}”`),
    ...listed('Closed the window', 'windows', windows.closed, ({ title }) => `“${title}”`),
    ...listed('Started', 'processes', processes.started, ({ name }) => name),
    ...listed('Ended', 'processes', processes.ended, ({ name }) => name),
    ...diff.unknown.map((what) => `Not looked at: ${what}`),
  ]
}

function listed<T>(verb: string, things: string, items: T[], name: (item: T) => string): string[] {
  if (items.length === 0) return []
  if (items.length <= 3) return items.map((item) => `${verb} ${name(item)}`)
  return [`${verb.replace(/ the \w+$/, '')} ${items.length} ${things}: ${items.slice(0, 3).map(name).join(', ')} …`]
}
