import type { DoctorCheck } from '../../contract/rpc.ts'
import { withEngine } from '../command-context.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Output } from '../output.ts'

const marks: Record<DoctorCheck['status'], string> = { ok: '✓', warning: '!', problem: '✗', unproven: '?' }

export async function doctor(output: Output): Promise<number> {
  const checks = await withEngine(output, { machines: false }, ({ client }) => client.call('engine.doctor', {}))
  const problems = checks.filter((check) => check.status === 'problem').length
  output.answer({ ok: problems === 0, checks }, doctorText(checks))
  return problems === 0 ? exitCodes.ok : exitCodes.failed
}

export function doctorText(checks: DoctorCheck[]): string {
  const width = Math.max(0, ...checks.map((check) => check.name.length))
  return checks
    .map((check) => {
      const head = `${marks[check.status]} ${check.name.padEnd(width)}  `
      const hint = check.hint ? [`${' '.repeat(head.length)}→ ${check.hint}`] : []
      return [`${head}${check.summary}`, ...hint].join('\n')
    })
    .join('\n')
}
