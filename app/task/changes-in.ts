import type { StateDiff } from '../../main/contract/state-diff.ts'

type Sign = '+' | '−' | '~'
type Line = { sign: Sign; what: string; detail?: string | undefined }
export type ChangeGroup = { kind: 'files' | 'windows' | 'processes' | 'packages' | 'ports'; lines: Line[] }

const line =
  <T>(sign: Sign, what: (one: T) => string, detail?: (one: T) => string | undefined) =>
  (one: T): Line => ({ sign, what: what(one), detail: detail?.(one) })

/** A diff as lines to read; kinds without a change are left out. */
export function changesIn({ files, windows, processes, packages, ports }: StateDiff): ChangeGroup[] {
  const groups: ChangeGroup[] = [
    {
      kind: 'files',
      lines: [
        ...files.added.map(
          line<(typeof files.added)[number]>(
            '+',
            ({ path }) => path,
            ({ text }) => text,
          ),
        ),
        ...files.changed.map(
          line<(typeof files.changed)[number]>(
            '~',
            ({ path }) => path,
            ({ diff }) => diff,
          ),
        ),
        ...files.removed.map(line<(typeof files.removed)[number]>('−', ({ path }) => path)),
      ],
    },
    {
      kind: 'windows',
      lines: [
        ...windows.opened.map(line<(typeof windows.opened)[number]>('+', ({ title }) => title)),
        ...windows.retitled.map(
          line<(typeof windows.retitled)[number]>('~', ({ before, after }) => `${before} → ${after}`),
        ),
        ...windows.closed.map(line<(typeof windows.closed)[number]>('−', ({ title }) => title)),
      ],
    },
    {
      kind: 'processes',
      lines: [
        ...processes.started.map(line<(typeof processes.started)[number]>('+', ({ command }) => command)),
        ...processes.ended.map(line<(typeof processes.ended)[number]>('−', ({ command }) => command)),
      ],
    },
    {
      kind: 'packages',
      lines: [
        ...packages.installed.map(
          line<(typeof packages.installed)[number]>('+', ({ name, version }) => `${name} ${version}`),
        ),
        ...packages.changed.map(
          line<(typeof packages.changed)[number]>('~', ({ name, before, after }) => `${name} ${before} → ${after}`),
        ),
        ...packages.removed.map(
          line<(typeof packages.removed)[number]>('−', ({ name, version }) => `${name} ${version}`),
        ),
      ],
    },
    {
      kind: 'ports',
      lines: [
        ...ports.opened.map(
          line<(typeof ports.opened)[number]>('+', ({ protocol, address }) => `${protocol} ${address}`),
        ),
        ...ports.closed.map(
          line<(typeof ports.closed)[number]>('−', ({ protocol, address }) => `${protocol} ${address}`),
        ),
      ],
    },
  ]
  return groups.filter(({ lines }) => lines.length > 0)
}
