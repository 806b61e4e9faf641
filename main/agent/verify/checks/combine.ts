import type { Assertion } from '../../../contract/assertion.ts'
import type { Look, Probe } from '../probe.ts'

type Evaluate = (look: Look, assertion: Assertion) => Promise<Probe>
type Part = { check: Assertion['check']; outcome: Probe['outcome']; summary: string; evidence: Probe['evidence'] }

/** All parts are looked at, also when the first already decides: the evidence is for people. */
export async function combine(
  look: Look,
  assertion: Extract<Assertion, { check: 'all' | 'any' | 'not' }>,
  evaluate: Evaluate,
): Promise<Probe> {
  if (assertion.check === 'not') {
    const probe = await evaluate(look, assertion.of)
    const outcome = probe.outcome === 'unknown' ? 'unknown' : probe.outcome === 'pass' ? 'fail' : 'pass'
    return { ...probe, outcome, evidence: { not: { check: assertion.of.check, ...probe.evidence } } }
  }
  const probes: Probe[] = []
  for (const part of assertion.of) probes.push(await evaluate(look, part))
  const parts: Part[] = probes.map(({ outcome, summary, evidence }, n) => ({
    check: assertion.of[n]?.check ?? 'all',
    outcome,
    summary,
    evidence,
  }))
  const [deciding, otherwise] = assertion.check === 'all' ? (['fail', 'pass'] as const) : (['pass', 'fail'] as const)
  const decider = probes.find(({ outcome }) => outcome === deciding)
  const unknown = probes.find(({ outcome }) => outcome === 'unknown')
  const outcome = decider ? deciding : unknown ? 'unknown' : otherwise
  const summary = decider?.summary ?? unknown?.summary ?? probes.map((probe) => probe.summary).join(' ')
  return { outcome, summary, evidence: { parts }, ...(!decider && unknown?.final ? { final: true } : {}) }
}
