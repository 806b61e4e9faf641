import { matchText } from '../../../screen/text/match-text.ts'
import { listWindows } from '../guest/windows.ts'
import { type Check, verdictOf } from '../probe.ts'

export const windowOpen: Check<'window_open'> = async (look, assertion) => {
  const windows = await listWindows(look.sandbox)
  const found = windows.filter(({ title }) => matchText(title, { text: assertion.title, match: assertion.match }))
  return verdictOf(
    found.length > 0,
    found[0] ? `The window “${found[0].title}” is open.` : `No open window is called “${assertion.title}”.`,
    { windows },
  )
}

export const windowActive: Check<'window_active'> = async (look, assertion) => {
  const windows = await listWindows(look.sandbox)
  const active = windows.find((window) => window.active)
  const holds =
    active !== undefined && matchText(active.title, { text: assertion.title, match: assertion.match }) !== null
  const seen = active ? `The active window is “${active.title}”` : 'No window is active'
  return verdictOf(holds, holds ? `${seen}.` : `${seen}, not “${assertion.title}”.`, { windows })
}
