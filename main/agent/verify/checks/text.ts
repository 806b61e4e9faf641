import type { Region } from '../../../contract/action.ts'
import type { TextQuery } from '../../../screen/text/match-text.ts'
import { findText, linesWithin } from '../../../screen/text/screen-text.ts'
import { type Check, excerpt, type Look, verdictOf } from '../probe.ts'

export const textVisible: Check<'text_visible'> = async (look, assertion) => {
  const { found, evidence } = await search(look, assertion, assertion.region)
  return verdictOf(
    found.length > 0,
    found.length > 0
      ? `“${assertion.text}” is on the screen${times(found.length)}.`
      : `“${assertion.text}” is not on the screen${place(assertion.region)}.`,
    evidence,
  )
}

export const textGone: Check<'text_gone'> = async (look, assertion) => {
  const { found, evidence } = await search(look, assertion, assertion.region)
  return verdictOf(
    found.length === 0,
    found.length === 0
      ? `“${assertion.text}” is not on the screen${place(assertion.region)}.`
      : `“${assertion.text}” is still on the screen${times(found.length)}.`,
    evidence,
  )
}

async function search(look: Look, query: TextQuery, region: Region | undefined) {
  const lines = linesWithin(await look.text(), region)
  const found = findText(lines, query)
  const evidence =
    found.length > 0
      ? { found: found.slice(0, 10) }
      : { read: excerpt(lines.map(({ text }) => text).join('\n')), lines: lines.length }
  return { found, evidence }
}

const times = (count: number) => (count === 1 ? '' : ` ${count} times`)
const place = (region: Region | undefined) =>
  region ? ` within ${region.width}×${region.height} at ${region.x}, ${region.y}` : ''
