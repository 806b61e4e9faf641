import { matchText } from '../../../screen/text/match-text.ts'
import { browserPage } from '../guest/browser.ts'
import { type Check, verdictOf } from '../probe.ts'

export const browser: Check<'browser'> = async (look, assertion) => {
  const page = await browserPage(look.sandbox, assertion.url !== undefined)
  if (!page) return verdictOf(false, 'No browser window is open.', {})
  const misses = [
    assertion.title && !matchText(page.title, assertion.title) ? `its title is “${page.title}”` : null,
    assertion.url && !matchText(page.url ?? '', assertion.url) ? `its address is ${page.url ?? 'not known yet'}` : null,
  ].filter((miss) => miss !== null)
  const summary =
    misses.length > 0 ? `The browser shows another page: ${misses.join(', ')}.` : `The browser shows “${page.title}”.`
  return verdictOf(misses.length === 0, summary, page)
}
