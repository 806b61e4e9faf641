const mostLines = 1500
const mostOutput = 4000

/** What changed from one text to the other: lines with - and +, and one line of what stands around them. */
export function lineDiff(before: string, after: string): string {
  const a = before.split('\n')
  const b = after.split('\n')
  if (a.length > mostLines || b.length > mostLines) return `(${a.length} lines before, ${b.length} after)`
  const lines = merge(a, b)
  const shown = lines.flatMap(({ mark, text }, n) => {
    const near =
      mark !== ' ' || lines[n - 1]?.mark === '-' || lines[n - 1]?.mark === '+' || (lines[n + 1]?.mark ?? ' ') !== ' '
    if (near) return [`${mark}${text}`]
    return lines[n - 1]?.mark === ' ' && n > 1 && !nearChange(lines, n - 1) ? [] : ['…']
  })
  const whole = shown
    .filter((line, n) => line !== '…' || (shown[n - 1] !== '…' && n > 0 && n < shown.length - 1))
    .join('\n')
  return whole.length > mostOutput ? `${whole.slice(0, mostOutput)}…` : whole
}

type Line = { mark: ' ' | '-' | '+'; text: string }

function nearChange(lines: Line[], n: number): boolean {
  return [n - 1, n, n + 1].some((at) => (lines[at]?.mark ?? ' ') !== ' ')
}

/** Longest common subsequence of lines; equal beginnings and ends are left out of the table. */
function merge(a: string[], b: string[]): Line[] {
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let end = 0
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  const left = a.slice(start, a.length - end)
  const right = b.slice(start, b.length - end)
  const width = right.length + 1
  const common = new Uint16Array((left.length + 1) * width)
  for (let n = left.length - 1; n >= 0; n--)
    for (let m = right.length - 1; m >= 0; m--)
      common[n * width + m] =
        left[n] === right[m]
          ? (common[(n + 1) * width + m + 1] ?? 0) + 1
          : Math.max(common[(n + 1) * width + m] ?? 0, common[n * width + m + 1] ?? 0)
  const middle: Line[] = []
  let n = 0
  let m = 0
  while (n < left.length || m < right.length) {
    const [was, is] = [left[n], right[m]]
    if (was !== undefined && was === is) {
      middle.push({ mark: ' ', text: was })
      n++
      m++
    } else if (
      was !== undefined &&
      (is === undefined || (common[(n + 1) * width + m] ?? 0) >= (common[n * width + m + 1] ?? 0))
    ) {
      middle.push({ mark: '-', text: was })
      n++
    } else {
      middle.push({ mark: '+', text: is ?? '' })
      m++
    }
  }
  const same = (text: string): Line => ({ mark: ' ', text })
  return [...a.slice(0, start).map(same), ...middle, ...a.slice(a.length - end).map(same)]
}
