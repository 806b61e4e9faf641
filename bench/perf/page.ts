import type { Report } from './report.ts'
import { amount, HEADING, rows } from './table.ts'

/** docs/performance.md. Made by the benchmark; nothing in it is written by hand. */
export function page(report: Report): string {
  const { host, machine } = report
  const row = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [
    '# Performance',
    '',
    'Made by `npm run bench:perf`. All figures are of one run on one host; the ratios are what counts.',
    '',
    `- host: ${host.system}, ${host.processor}, ${host.cpus} cores, ${gigabytes(host.memoryBytes)} of memory; load before the run ${host.loadBefore.toFixed(1)}`,
    `- machine: image “${machine.image}”, ${amount(machine.memoryBytes, 'bytes')}, ${machine.cpus} processors, ${machine.accelerator}, QEMU ${machine.qemu}`,
    `- measured ${report.measuredAt.slice(0, 10)}${report.quick ? ', with few repeats: not for quoting' : ''}`,
    '',
    '![How long things take](perf.svg)',
    '',
    row(HEADING),
    row(HEADING.map((_, column) => (column === 0 || column === 4 ? '---' : '---:'))),
    ...rows(report).map(row),
    '',
    '“Instead” is what a user would do without GodHand on the same guest and QEMU, measured in the same run: boot, or',
    '`savevm` and `loadvm`, or for one more machine a copy of the disk and a new QEMU with `-loadvm`.',
    '',
    '## What was promised',
    '',
    row(['promise', 'this run', 'kept']),
    row(['---', '---', '---']),
    ...report.promises.map(({ text, value, kept }) => row([text, value, kept === null ? '–' : kept ? 'yes' : 'no'])),
    '',
    '## How it is measured',
    '',
    '- *Cold boot*: power-on until the guest says that its desktop is drawn, and one screenshot.',
    '- *Fresh desktop*: the call until a screenshot shows the settled desktop of the template.',
    '- *Depth*: a snapshot at depth 5 is of a machine restored from one at depth 4, and so on; each machine writes 1 MB',
    '  and runs a few programs before it. `savevm` gets the same change.',
    '- *Fork*: a snapshot of a live machine and N children at once, until each has answered a screenshot.',
    '- *Private memory*: `Private_Clean` and `Private_Dirty` of the QEMU process, so with its own code buffers.',
    '- *`npm start`*: the command, on a host that has started it before, until a Chromium that is already open shows the first',
    '  words of the page behind its link; the engine loads while the browser paints.',
    '- *Key to pixels*: a key sent to a terminal until a screenshot shows another picture of it; the screenshots that',
    '  look for it are part of the time.',
    '- *Reading*: 1280×800, some 600 words in a terminal, by a reader that has its networks loaded and has never seen that',
    '  terminal; then the same with one more line typed.',
    '',
  ].join('\n')
}

const gigabytes = (bytes: number) => `${(bytes / 1024 ** 3).toFixed(0)} GB`
