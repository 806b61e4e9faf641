import path from 'node:path'
import { JudgeRules } from '../../contract/branching.ts'
import { GodHandError } from '../../contract/errors.ts'
import { withEngine } from '../command-context.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Output } from '../output.ts'

/** As they were typed; what they must be is for the contract to say. */
export type RuleOptions = Partial<Record<'order' | 'wanted' | 'ignore' | 'unwanted', string[]>> & {
  slack?: number
  ties?: string
}

export async function branchFetch(branchId: string, from: string, to: string, output: Output): Promise<number> {
  const file = path.resolve(to) // the engine stands elsewhere
  const wish = { branchId, path: from, file }
  const got = await withEngine(output, { machines: true }, ({ client }) => client.call('branch.fetch', wish))
  output.answer(got, `${got.file} (${got.bytes} bytes)`)
  return exitCodes.ok
}

export async function judgeShow(output: Output): Promise<number> {
  return tell(await withEngine(output, { machines: false }, ({ client }) => client.call('judge.get', {})), output)
}

export async function judgeSet(options: RuleOptions, output: Output): Promise<number> {
  const rules = await withEngine(output, { machines: false }, async ({ client }) => {
    const wished = JudgeRules.safeParse({ ...(await client.call('judge.get', {})), ...options })
    if (!wished.success)
      throw new GodHandError('bad_request', `These rules cannot be read: ${wished.error.issues[0]?.message}`, {
        hint: 'See godhand judge set --help.',
      })
    return client.call('judge.set', wished.data)
  })
  return tell(rules, output)
}

export async function judgeReset(output: Output): Promise<number> {
  return tell(await withEngine(output, { machines: false }, ({ client }) => client.call('judge.set', {})), output)
}

function tell(rules: JudgeRules, output: Output): number {
  const { order, slack, wanted, ignore, unwanted, ties, judge } = rules
  const list = (names: string[]) => names.join(', ') || 'nothing'
  const who =
    ties === 'first' ? 'the way named first wins' : `${judge ? judge.kind : 'the planning model'} is shown the evidence`
  output.answer(
    rules,
    [
      'A way whose checks do not hold is out. Of the others, the first of these that tells them apart decides:',
      `  ${order.join(', ')}`,
      `Costs count as equal within ${Math.round(slack * 100)} %.`,
      `wanted: ${list(wanted)}`,
      `never counted: ${list(ignore)}`,
      `unwanted: files and packages removed, ports opened, and changes of ${list(unwanted)}`,
      `a tie: ${who}`,
    ].join('\n'),
  )
  return exitCodes.ok
}
