export type Unit = 'ms' | 'bytes'

/** `against`: what a user would do instead, measured in the same run. `goal`: the upper limit for the median. */
export type Metric = {
  id: string
  title: string
  unit: Unit
  baseline?: boolean // measured only to be compared with
  against?: string
  goal?: number
}

export const METRICS = [
  { id: 'cold-boot', title: 'Cold boot to a drawn desktop', unit: 'ms', baseline: true },
  { id: 'savevm', title: 'savevm (guest stands still throughout)', unit: 'ms', baseline: true },
  { id: 'loadvm', title: 'loadvm in the running machine, first screenshot', unit: 'ms', baseline: true },
  {
    id: 'copy-1',
    title: 'Copy of the disk, new QEMU with -loadvm, first screenshot',
    unit: 'ms',
    baseline: true,
  },
  { id: 'copy-3', title: 'Three such copies at once', unit: 'ms', baseline: true },
  { id: 'copy-memory', title: 'Private memory of a QEMU after -loadvm', unit: 'bytes', baseline: true },
  { id: 'savevm-disk', title: 'Disk taken by one savevm', unit: 'bytes', baseline: true },

  {
    id: 'fresh-desktop',
    title: 'Fresh desktop, to the first good screenshot',
    unit: 'ms',
    against: 'cold-boot',
    goal: 1000,
  },
  { id: 'snapshot-pause-1', title: 'Snapshot, guest’s pause, depth 1', unit: 'ms', against: 'savevm', goal: 300 },
  { id: 'snapshot-pause-2', title: 'Snapshot, guest’s pause, depth 2', unit: 'ms', against: 'savevm', goal: 300 },
  { id: 'snapshot-pause-5', title: 'Snapshot, guest’s pause, depth 5', unit: 'ms', against: 'savevm', goal: 300 },
  { id: 'snapshot-total-1', title: 'Snapshot, until safely on disk, depth 1', unit: 'ms', against: 'savevm' },
  { id: 'snapshot-total-2', title: 'Snapshot, until safely on disk, depth 2', unit: 'ms', against: 'savevm' },
  { id: 'snapshot-total-5', title: 'Snapshot, until safely on disk, depth 5', unit: 'ms', against: 'savevm' },
  { id: 'snapshot-disk', title: 'Disk taken by one snapshot', unit: 'bytes', against: 'savevm-disk' },
  {
    id: 'restore-1',
    title: 'Restore as a new machine, first screenshot, depth 1',
    unit: 'ms',
    against: 'copy-1',
  },
  {
    id: 'restore-5',
    title: 'Restore as a new machine, first screenshot, depth 5',
    unit: 'ms',
    against: 'copy-1',
  },
  { id: 'fork-1', title: 'Fork into 1, answering a screenshot', unit: 'ms', against: 'copy-1' },
  { id: 'fork-3', title: 'Fork into 3, all three answering a screenshot', unit: 'ms', against: 'copy-3', goal: 1000 },
  { id: 'fork-8', title: 'Fork into 8, all eight answering a screenshot', unit: 'ms' },
  { id: 'fork-memory', title: 'Private memory of an idle fork', unit: 'bytes', against: 'copy-memory' },
  { id: 'first-paint', title: 'npm start, to the first paint of the page', unit: 'ms', goal: 1000 },
  { id: 'start-answered', title: 'npm start, to the engine’s first answer on the page', unit: 'ms' },
  { id: 'exec', title: 'Command on the kept connection', unit: 'ms', goal: 100 },
  { id: 'screenshot', title: 'Screenshot', unit: 'ms', goal: 60 },
  { id: 'read-screen', title: 'Reading a full screen of text', unit: 'ms', goal: 1000 },
  {
    id: 'read-change',
    title: 'Reading it again after a small change',
    unit: 'ms',
    against: 'read-screen',
    goal: 300,
  },
  { id: 'key-to-pixels', title: 'Key sent, to changed pixels in a screenshot', unit: 'ms', goal: 300 },
] as const satisfies Metric[]

export type MetricId = (typeof METRICS)[number]['id']
