import type { JudgeRules } from '../../contract/branching.ts'
import type { StateDiff } from '../../contract/state-diff.ts'

/** Changes nobody asked for, in sentences. What a branch adds is its work; what it takes away or opens must be wanted. */
export function unwantedIn(diff: StateDiff, rules: JudgeRules): string[] {
  const ignored = patternsOf([...rules.ignore, ...rules.wanted])
  const bad = patternsOf(rules.unwanted)
  const counts = (path: string) => !ignored(path)
  const touched = [...diff.files.changed, ...diff.files.added].map(({ path }) => path)
  return [
    ...diff.files.removed.filter(({ path }) => counts(path)).map(({ path }) => `Removed the file ${path}`),
    ...touched.filter((path) => counts(path) && bad(path)).map((path) => `Changed ${path}`),
    ...diff.packages.removed.map(({ name }) => `Removed the package ${name}`),
    ...diff.ports.opened.map(({ address }) => `Now listens on ${address}`),
  ]
}

/** Changes the task is about, in sentences. */
export function wantedIn(diff: StateDiff, rules: JudgeRules): string[] {
  const good = patternsOf(rules.wanted)
  const { added, changed, removed } = diff.files
  return [
    ...added.filter(({ path }) => good(path)).map(({ path }) => `Made ${path}`),
    ...changed.filter(({ path }) => good(path)).map(({ path }) => `Changed ${path}`),
    ...removed.filter(({ path }) => good(path)).map(({ path }) => `Removed ${path}`),
  ]
}

function patternsOf(patterns: string[]): (path: string) => boolean {
  const all = patterns.map((pattern) => new RegExp(`^${pattern.split('*').map(literal).join('.*')}$`))
  return (path) => all.some((pattern) => pattern.test(path))
}

const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
