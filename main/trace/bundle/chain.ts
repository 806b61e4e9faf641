import { createHash } from 'node:crypto'

/**
 * The hash chain over steps. Every line of steps.jsonl is exactly
 *
 *     {"chain":"<64 hex>","step":<JSON of the step>}
 *
 * and its chain value is sha256(<value of the line before> + "\n" + <JSON of the step, as it stands in the line>). The
 * first line stands on the seed, which holds whose steps these are. A step changed, removed, added or moved breaks
 * every value after it, and the last one is in the manifest.
 */
const opening = '{"chain":"'
const between = '","step":'
const valueEnd = opening.length + 64
const stepStart = valueEnd + between.length

export function chainSeed(taskId: string, goal: string): string {
  return sha256(`ghtrace 1\n${taskId}\n${goal}`)
}

export function nextLink(previous: string, stepJson: string): string {
  return sha256(`${previous}\n${stepJson}`)
}

export function chainLine(link: string, stepJson: string): string {
  return `${opening}${link}${between}${stepJson}}\n`
}

/** Null when the line does not have the exact form. */
export function splitLine(line: string): { link: string; stepJson: string } | null {
  if (!line.startsWith(opening) || line.slice(valueEnd, stepStart) !== between || !line.endsWith('}')) return null
  return { link: line.slice(opening.length, valueEnd), stepJson: line.slice(stepStart, -1) }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
