import type { BenchmarkKind } from '../../main/contract/benchmark.ts'

const kinds: Record<BenchmarkKind, { name: string; detail: string }> = {
  perf: {
    name: 'Speed of machines',
    detail: 'Start, snapshot, restore, fork, see and type, beside what QEMU does alone.',
  },
  recovery: {
    name: 'Recovery',
    detail: 'How often a task that breaks midway still succeeds, with and without going back.',
  },
}

export const benchmarksText = {
  title: 'Benchmarks',
  lead: 'What this computer can do, and whether our promises hold on it.',
  kinds,
  kind: 'What to measure',
  start: 'Measure',
  startQuick: 'Quick look',
  startQuickDetail: 'Two measurements of each instead of seven: to see that it works, not to be quoted',
  cancel: 'Stop',
  running: (name: string) => `${name}: measuring`,
  runningDetail: 'Machines come and go meanwhile. Other work on this computer makes the figures worse.',
  elapsed: (time: string) => `for ${time}`,
  loading: 'Looking for earlier figures…',
  none: {
    title: 'Nothing measured yet',
    detail: 'A full round takes some minutes. Its figures stay here, so that you see how they change over time.',
  },
  unavailable: {
    title: 'Nothing can be measured here',
    detail: 'Benchmarks come with the sources, not with an installed app.',
  },
  promises: 'Promises',
  promisesKept: (kept: number, of: number) => `${kept} of ${of} kept`,
  promise: { kept: 'Kept', broken: 'Not kept', unknown: 'Not measured' },
  figures: 'Figures',
  columns: { what: 'What', median: 'Median', worst: '95 %', count: 'Times', instead: 'Instead', ratio: 'Gain' },
  ratio: (ratio: number) => `${ratio.toFixed(ratio < 10 ? 1 : 0)}×`,
  baseline: 'to compare with',
  quick: 'Quick look',
  host: (system: string, cpus: number) => `${system}, ${cpus} cores`,
  machine: (qemu: string, accelerator: string) => `QEMU ${qemu}, ${accelerator.toUpperCase()}`,
  busyHost: (load: string) => `The computer was busy (load ${load}), so these are worse than they could be.`,
  trends: 'Over time',
  trendsHint: 'Each point is a round on this computer, a hollow one a quick look.',
  trend: (title: string, first: string, last: string, runs: number) =>
    `${title}: from ${first} to ${last} over ${runs} rounds`,
  goal: (amount: string) => `goal ${amount}`,
  runs: 'Rounds',
  failed: 'Failed',
  remove: 'Delete these figures',
  removed: 'Deleted.',
  missing: 'These figures are gone.',
}
