import { matchText } from '../../../screen/text/match-text.ts'
import { ask } from '../guest/run.ts'
import { type Check, excerpt, verdictOf } from '../probe.ts'

export const clipboard: Check<'clipboard'> = async (look, assertion) => {
  // A program that owns the clipboard and hangs must not hang us.
  const asked = await ask(look.sandbox, ['xclip', '-selection', 'clipboard', '-t', 'UTF8_STRING', '-o'], {
    timeoutMs: 5000,
  })
  const empty = asked.exitCode !== 0
  const text = empty ? '' : asked.stdout
  const holds = !empty && matchText(text, assertion) !== null
  const seen = empty ? 'The clipboard holds no text.' : `The clipboard holds “${excerpt(text, 100)}”.`
  return verdictOf(holds, seen, empty ? { stderr: excerpt(asked.stderr, 500) } : { text: excerpt(text) })
}
