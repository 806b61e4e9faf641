import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import type { Branch } from '../../contract/branching.ts'
import type { Step, Task } from '../../contract/task.ts'
import { noUsage } from '../../contract/usage.ts'
import type { FrameRecord } from '../frames.ts'
import { newId } from '../ids.ts'
import type { NewMachine } from '../machines.ts'
import type { FinishedSnapshot, NewSnapshot } from '../snapshots.ts'
import { openStore, type Store } from '../store.ts'

/** Whole, valid records for tests, each overridable in part. */

export const noon = '2026-01-01T12:00:00.000Z'

export function temporaryFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'godhand-trace-'))
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }))
  return folder
}

export function temporaryStore(file = path.join(temporaryFolder(), 'godhand.db')): Store {
  const store = openStore(file)
  onTestFinished(() => store.close())
  return store
}

export function sampleTask(part: Partial<Task> = {}): Task {
  return {
    id: newId('task'),
    goal: 'Write a haiku into ~/haiku.txt',
    image: 'desktop',
    planner: 'demo',
    state: 'queued',
    machineId: null,
    verdict: null,
    error: null,
    checks: [],
    stepCount: 0,
    createdAt: noon,
    startedAt: null,
    endedAt: null,
    ...part,
  }
}

export function sampleStep(taskId: string, index: number, part: Partial<Step> = {}): Step {
  return {
    taskId,
    index,
    thought: `Step ${index}: open the editor and write the second line of the poem, then look whether it is there.`,
    actions: [
      { act: { type: 'click', at: { x: 10, y: 20 }, button: 'left', count: 2 }, result: { ok: true } },
      { act: { type: 'type', text: 'a frog leaps into' }, result: { ok: true, text: 'typed' } },
      { act: { type: 'key', chord: 'ctrl+s', repeat: 1 }, result: { ok: true } },
    ],
    before: null,
    after: null,
    settle: { changed: true, settled: true, tookMs: 84.5, boxes: [{ x: 0, y: 0, width: 400, height: 300 }] },
    checks: [
      {
        assertion: {
          check: 'all',
          of: [
            { check: 'text_visible', text: 'frog', match: 'fuzzy' },
            { check: 'file_exists', path: '/home/user/haiku.txt', exists: true },
          ],
        },
        verdict: { pass: true, summary: 'The text is there.', tookMs: 31, samples: 2, evidence: { seen: ['frog'] } },
      },
    ],
    verdict: 'pass',
    snapshotBefore: null,
    snapshotAfter: null,
    startedAt: noon,
    timing: { planMs: 1, actMs: 120.25, settleMs: 84.5, verifyMs: 31, totalMs: 236.75 },
    ...part,
  }
}

export function sampleFrame(content: string): FrameRecord {
  const hash = createHash('sha256').update(content).digest('hex')
  return { hash, width: 1280, height: 800, bytes: 40_000, createdAt: noon }
}

export function sampleMachine(part: Partial<NewMachine> = {}): NewMachine {
  return {
    id: newId('vm'),
    name: 'desktop',
    driver: 'fake',
    image: 'desktop',
    pid: null,
    parentSnapshot: null,
    taskId: null,
    createdAt: noon,
    ...part,
  }
}

export function sampleSnapshot(part: Partial<NewSnapshot> = {}): NewSnapshot {
  return {
    id: newId('snap'),
    parentId: null,
    machineId: null,
    taskId: null,
    label: null,
    image: 'desktop',
    pinned: false,
    createdAt: noon,
    ...part,
  }
}

export function sampleBranch(taskId: string, part: Partial<Branch> = {}): Branch {
  return {
    id: newId('branch'),
    taskId,
    decisionId: 'choice_1',
    parentId: null,
    option: 0,
    plan: 'Use the menu',
    planner: 'script',
    fromSnapshot: null,
    machineId: null,
    state: 'running',
    won: false,
    verdict: null,
    reasons: [],
    checks: [],
    changes: [],
    wanted: [],
    unwanted: [],
    files: [],
    diff: null,
    cost: { steps: 0, failures: 0, ms: 0, usage: noUsage },
    endSnapshot: null,
    frame: null,
    createdAt: noon,
    endedAt: null,
    ...part,
  }
}

export const finished: FinishedSnapshot = {
  templateKey: 'a1b2',
  pauseMs: 31.5,
  diskBytes: 200_000,
  ramBytes: 8_000_000,
  frame: null,
}
