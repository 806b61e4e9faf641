/**
 * Alpine's versions: 1.2.3a_rc4_p5-r6. Compared part by part; a part that begins with zeros counts as a fraction
 * (1.01 < 1.1), and _alpha, _beta, _pre and _rc come before the version they lead to.
 */
type Part = { rank: number; value: number }

const RANK = { number: 1, fraction: 0, letter: 2, suffix: 3, suffixNumber: 4, revision: 5, end: 6 }
const BEFORE = ['alpha', 'beta', 'pre', 'rc']
const AFTER = ['cvs', 'svn', 'git', 'hg', 'p']
const FORM = /^(\d+)((?:\.\d+)*)([a-z]?)((?:_(?:alpha|beta|pre|rc|cvs|svn|git|hg|p)\d*)*)(?:~[0-9a-f]+)?(?:-r(\d+))?$/

export function isVersion(text: string): boolean {
  return FORM.test(text)
}

function parts(version: string): Part[] {
  const [, first = '', more = '', letter = '', suffixes = '', revision] = FORM.exec(version) ?? []
  if (first === '') return []
  const found: Part[] = [{ rank: RANK.number, value: Number(first) }]
  for (const digits of more.split('.').slice(1)) {
    const zeros = /^0*/.exec(digits)?.[0].length ?? 0
    if (zeros === 0) found.push({ rank: RANK.fraction, value: Number(digits) })
    else {
      found.push({ rank: RANK.fraction, value: -zeros })
      if (digits.length > zeros) found.push({ rank: RANK.number, value: Number(digits.slice(zeros)) })
    }
  }
  if (letter) found.push({ rank: RANK.letter, value: letter.charCodeAt(0) })
  for (const [, name = '', number = ''] of suffixes.matchAll(/_([a-z]+)(\d*)/g)) {
    const value = BEFORE.includes(name) ? BEFORE.indexOf(name) - BEFORE.length : AFTER.indexOf(name)
    found.push({ rank: RANK.suffix, value })
    if (number !== '') found.push({ rank: RANK.suffixNumber, value: Number(number) })
  }
  if (revision !== undefined) found.push({ rank: RANK.revision, value: Number(revision) })
  return found
}

/** Negative: a is older. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parts(a), parts(b)]
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const one = left[at] ?? { rank: RANK.end, value: 0 }
    const other = right[at] ?? { rank: RANK.end, value: 0 }
    if (one.rank === other.rank) {
      if (one.value !== other.value) return one.value - other.value
      continue
    }
    if (one.rank === RANK.suffix && one.value < 0) return -1
    if (other.rank === RANK.suffix && other.value < 0) return 1
    return other.rank - one.rank
  }
  return 0
}

export type Operator = '=' | '<' | '<=' | '>' | '>=' | '~'

export function satisfies(version: string, operator: Operator, wanted: string): boolean {
  if (operator === '~') {
    const beginning = parts(wanted)
    const whole = parts(version)
    return beginning.every(({ rank, value }, at) => whole[at]?.rank === rank && whole[at]?.value === value)
  }
  const order = compareVersions(version, wanted)
  if (order === 0) return operator.includes('=')
  return operator.startsWith(order < 0 ? '<' : '>')
}
