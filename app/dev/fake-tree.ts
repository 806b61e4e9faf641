import type { Lineage } from '../../main/contract/branching.ts'
import { GodHandError } from '../../main/contract/errors.ts'
import { methods } from '../../main/contract/rpc.ts'
import { frameOf } from './fake-frames.ts'
import { beats } from './fake-story.ts'
import type { FakeWorld } from './fake-world.ts'
import { aBranch, aDiff, aSnapshot } from './samples.ts'

/** Moments of the make-believe past: a task with a fork in its middle, one that failed, and one kept by hand. */
export async function growTree(world: FakeWorld, at: (minutes: number) => string): Promise<void> {
  const poem = world.steps.get('poem') ?? []
  for (const [index, step] of poem.entries()) {
    const id = `poem-${index}`
    world.snapshots.push(
      aSnapshot({
        id,
        parentId: index === 0 ? null : `poem-${index - 1}`,
        taskId: 'poem',
        pinned: index === 3,
        createdAt: at(12 - index * 0.05),
        diskBytes: 3_400_000 + index * 910_000,
        ramBytes: 41_000_000 + index * 7_300_000,
        frame: step.after,
      }),
    )
    poem[index] = { ...step, snapshotBefore: index === 0 ? null : `poem-${index - 1}`, snapshotAfter: id }
  }
  const ways = ['Try it with the keyboard', 'Try it from the terminal']
  for (const [way, label] of ways.entries())
    for (const depth of [0, 1])
      world.snapshots.push(
        aSnapshot({
          id: `way-${way}-${depth}`,
          parentId: depth === 0 ? 'poem-2' : `way-${way}-0`,
          label: depth === 0 ? label : null,
          taskId: 'stopped',
          createdAt: at(9 - way - depth * 0.1),
          frame: await frameOf(
            way === 0
              ? { editor: `The sea, again,\nby keyboard${depth ? '.' : ''}` }
              : { terminal: ['user@desktop:~$ nano poem.txt', ...(depth ? ['saved'] : [])] },
          ),
        }),
      )
  const plans = ['Save it with the keyboard', 'Write it from the terminal', 'Use the menu']
  for (const [option, plan] of plans.entries())
    world.branches.set(
      `poem-way-${option}`,
      aBranch({
        id: `poem-way-${option}`,
        taskId: 'poem',
        option,
        plan,
        fromSnapshot: 'poem-2',
        state: option === 2 ? 'failed' : 'passed',
        won: option === 0,
        machineId: option === 0 ? 'machine-1' : null,
        verdict: option === 2 ? 'The dialog never opened.' : 'poem.txt is there and holds the poem.',
        reasons: option === 0 ? ['It changed nothing nobody asked for.'] : ['Way 1 changed less.'],
        diff: aDiff(),
        frame: poem[option]?.after ?? null,
        createdAt: at(11.9),
        endedAt: at(11.8),
      }),
    )
  const invoices = world.steps.get('invoices') ?? []
  for (const [index, step] of invoices.entries())
    world.snapshots.push(
      aSnapshot({
        id: `inv-${index}`,
        parentId: index === 0 ? null : `inv-${index - 1}`,
        taskId: 'invoices',
        createdAt: at(190 - index),
        frame: step.after,
      }),
    )
  world.snapshots.push(
    aSnapshot({
      id: 'snap-1',
      machineId: 'heron',
      label: 'Before the update',
      pinned: true,
      createdAt: at(3),
      ramBytes: 412_000_000,
      frame: await frameOf({ editor: 'Dear sea,' }),
    }),
  )
  const heron = world.machines.get('heron')
  if (heron) world.machines.set('heron', { ...heron, parentSnapshot: 'snap-1' })
}

/** Many moments, to see whether the picture stays smooth: lines of ten with a fork now and then. */
export async function growForest(world: FakeWorld, count: number): Promise<void> {
  const frames = await Promise.all(beats.map(({ scene }) => frameOf(scene)))
  for (let n = 0; n < count; n++) {
    const parent = n % 10 === 0 ? (n % 30 === 0 ? null : `tree-${n - 7}`) : `tree-${n - 1}`
    const createdAt = new Date(Date.UTC(2026, 9, 1) + n * 60_000).toISOString()
    world.snapshots.push(
      aSnapshot({ id: `tree-${n}`, parentId: parent, createdAt, frame: frames[n % frames.length] ?? null }),
    )
  }
}

type Keeping = 'snapshot.usage' | 'snapshot.pin' | 'snapshot.label' | 'snapshot.remove'

export function keepMoments(world: FakeWorld, method: Keeping, params: unknown): unknown {
  if (method === 'snapshot.usage')
    return {
      budgetBytes: 20 * 1024 ** 3,
      snapshots: world.snapshots.map((snapshot) => ({
        snapshot,
        ownBytes: snapshot.diskBytes + snapshot.ramBytes,
        sharedBytes: snapshot.parentId === null ? 0 : 52_000_000,
        removable: !world.snapshots.some(({ parentId }) => parentId === snapshot.id),
      })),
    }
  const { snapshotId } = methods[method].input.parse(params)
  const found = world.snapshots.find(({ id }) => id === snapshotId)
  if (!found) throw new GodHandError('not_found', `There is no snapshot ${snapshotId}.`)
  if (method === 'snapshot.remove') {
    world.snapshots = world.snapshots.filter(({ id }) => id !== snapshotId)
    return { freedBytes: found.diskBytes + found.ramBytes }
  }
  if (method === 'snapshot.pin') found.pinned = methods[method].input.parse(params).pinned
  else found.label = methods[method].input.parse(params).label
  return found
}

export function lineageIn(world: FakeWorld, taskId: string): Lineage {
  const steps = world.steps.get(taskId) ?? []
  return {
    taskId,
    fromSnapshot: null,
    machineId: world.tasks.get(taskId)?.machineId ?? null,
    machines: [],
    snapshots: world.snapshots.filter((snapshot) => snapshot.taskId === taskId),
    branches: [...world.branches.values()].filter((branch) => branch.taskId === taskId),
    steps: steps.map(({ index, thought, verdict, snapshotBefore, snapshotAfter }) => ({
      index,
      branchId: null,
      machineId: null,
      verdict,
      thought,
      snapshotBefore,
      snapshotAfter,
    })),
  }
}
