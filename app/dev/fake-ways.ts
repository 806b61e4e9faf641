import type { Branch } from '../../main/contract/branching.ts'
import type { Machine } from '../../main/contract/machine.ts'
import { frameOf, type Scene } from './fake-frames.ts'
import { passed } from './fake-story.ts'
import type { FakeWorld } from './fake-world.ts'
import { aBranch } from './samples.ts'

/** A make-believe tournament: three ways at once, one of which wins. */

const ways: { plan: string; scene: Scene; ending: Partial<Branch> }[] = [
  {
    plan: 'Save it with the keyboard: Ctrl+S, then the name',
    scene: { editor: 'The sea, by keyboard.' },
    ending: {
      state: 'passed',
      won: true,
      verdict: 'poem.txt is there and holds the poem.',
      reasons: ['Its checks hold.', 'It changed nothing nobody asked for; way 2 changed one thing.'],
      checks: [passed('/home/user/poem.txt exists.')],
      changes: ['/home/user/poem.txt was added'],
    },
  },
  {
    plan: 'Write it from the terminal with a here-document',
    scene: { terminal: ['user@desktop:~$ cat > poem.txt', 'The sea, from the terminal.'] },
    ending: {
      state: 'passed',
      verdict: 'poem.txt is there, and so is a backup.',
      reasons: ['Its checks hold.', 'One change nobody asked for: /etc/motd was changed.'],
      changes: ['/home/user/poem.txt was added', '/etc/motd was changed'],
      unwanted: ['/etc/motd was changed'],
    },
  },
  {
    plan: 'Use the menu: File, Save as',
    scene: { menu: true, editor: 'The sea, by menu.' },
    ending: {
      state: 'failed',
      verdict: 'The dialog never opened.',
      reasons: ['It did not get there: the dialog never opened.'],
    },
  },
]

export async function holdTournament(
  world: FakeWorld,
  taskId: string,
  newMachine: (over: Partial<Machine>) => Machine,
  pause: (share: number) => Promise<unknown>,
): Promise<void> {
  const decisionId = `choice-${taskId}`
  const branches = await Promise.all(
    ways.map(async ({ plan, scene }, option) => {
      const machine = newMachine({ taskId, name: `way ${option + 1}` })
      world.scenes.set(machine.id, scene)
      const createdAt = new Date().toISOString()
      return aBranch({
        id: `${decisionId}-${option}`,
        taskId,
        decisionId,
        option,
        plan,
        machineId: machine.id,
        state: 'running',
        frame: await frameOf(scene),
        createdAt,
      })
    }),
  )
  const tell = (branch: Branch) => world.tell({ type: 'branch', branch })
  for (const branch of branches) {
    tell(branch)
    const text = `Following the plan: ${branch.plan}`
    world.tell({ type: 'activity', taskId, phase: 'acting', text, branchId: branch.id })
  }
  await pause(4)
  const cost = { ...aBranch().cost, steps: 4, ms: 6200 }
  const ended = branches.map((branch, option) => ({
    ...branch,
    ...ways[option]?.ending,
    won: false,
    reasons: [],
    cost,
    endedAt: new Date().toISOString(),
  }))
  for (const branch of ended) tell(branch)
  await pause(1)
  for (const [option, branch] of ended.entries()) tell({ ...branch, ...ways[option]?.ending })
}
