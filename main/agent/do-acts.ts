import { type Act, describeAct } from '../contract/action.ts'
import type { ActResult } from '../contract/task.ts'
import { isTreeAct } from '../contract/tree-act.ts'
import type { RawFrame, Sandbox } from '../sandbox/sandbox.ts'
import type { NoiseMap } from '../screen/noise.ts'
import { settle } from '../screen/settle.ts'
import type { Leash } from './leash.ts'
import type { Actions, LoopContext, Trial } from './loop-context.ts'
import { perform } from './perform.ts'
import type { Turn } from './planner.ts'
import { Secrets } from './secrets.ts'

/** `snapshotBefore`: what the machine stood on when the first act was done. */
type Done = { actions: Actions; denied: boolean; snapshotBefore: string | null }
type Wish = { turn: Turn; acts: Act[]; behind: number; before: RawFrame; noise: NoiseMap }

/** The acts of a turn, with leave. What was tried out in a copy and allowed is not done a second time. */
export async function doActs(context: LoopContext, leash: Leash, wish: Wish): Promise<Done> {
  const { frames, signal, secrets = new Secrets(), tree, planner } = context
  const { turn, acts, behind, before, noise } = wish
  const doAll = async (sandbox: () => Sandbox) => {
    const actions: Actions = []
    for (const act of acts) {
      if (leash.paused) context.onActivity('acting', `Paused before: ${describeAct(act)}`)
      const obsolete = await leash.beforeAct(signal, !planner.save)
      if (obsolete) {
        actions.push({ act, result: obsolete })
        break
      }
      context.onActivity('acting', describeAct(act))
      const doOne = () => perform(sandbox(), secrets.resolve(act), frames, signal)
      const result =
        isTreeAct(act) && tree
          ? await tree.do(act, turn, behind)
          : await (usesHands(act) ? leash.moving(doOne) : doOne())
      actions.push({ act, result: secrets.redactResult(result) })
      if (!result.ok) break
      signal.throwIfAborted()
    }
    return actions
  }
  let trial: Trial | null = null
  const rehearse = async () => {
    if (acts.some(isTreeAct) || !tree?.rehearse) return null
    context.onActivity('acting', 'Trying it out in a copy of the machine')
    trial = await tree.rehearse(async (copy) => {
      const actions = await doAll(() => copy)
      await settle(copy, before, { noise, signal })
      return actions
    })
    return trial?.consequence ?? null
  }
  let denied: ActResult | null
  try {
    denied = await leash.mayAct(acts, signal, rehearse)
  } catch (thrown) {
    await discard(trial)
    throw thrown
  }
  if (denied) await discard(trial)
  const [first] = acts
  if (denied)
    return {
      actions: first ? [{ act: first, result: denied }] : [],
      denied: true,
      snapshotBefore: context.currentSnapshot(),
    }
  const done = await accepted(trial)
  if (!trial) await context.beforeActs?.(acts)
  const snapshotBefore = context.currentSnapshot()
  return { actions: done ?? (await doAll(context.sandbox)), denied: false, snapshotBefore }
}

/** Acts that move the pointer or press keys in the guest. */
const handActs = new Set(['move', 'click', 'drag', 'mouse_down', 'mouse_up', 'scroll', 'type', 'key', 'hold'])
const usesHands = ({ type }: Act) => handActs.has(type)

const discard = async (trial: Trial | null) => trial?.discard()
const accepted = async (trial: Trial | null) => (trial && (await trial.accept()) ? trial.actions : null)
