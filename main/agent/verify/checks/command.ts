import { matchText } from '../../../screen/text/match-text.ts'
import { bounds } from '../guest/run.ts'
import { type Check, excerpt, verdictOf } from '../probe.ts'

export const command: Check<'command'> = async (look, assertion) => {
  const { argv, exitCode, output } = assertion
  const result = await look.sandbox.execFile(argv, {
    ...bounds,
    timeoutMs: Math.max(bounds.timeoutMs, look.remainingMs),
    ...(look.signal ? { signal: look.signal } : {}),
  })
  // As a shell would hand it on: without the line break that ends it.
  const text = result.stdout.replace(/\n+$/, '')
  const evidence = {
    argv,
    exitCode: result.exitCode,
    stdout: excerpt(result.stdout),
    stderr: excerpt(result.stderr),
    truncated: result.truncated,
  }
  const name = argv.join(' ').slice(0, 100)
  if (result.exitCode !== exitCode)
    return verdictOf(false, `${name} ended with ${result.exitCode}, not ${exitCode}.`, evidence)
  if (output && !matchText(text, output))
    return verdictOf(false, `${name} ended with ${exitCode}, but its output is not as expected.`, evidence)
  return verdictOf(true, `${name} ended with ${exitCode}${output ? ' and the expected output' : ''}.`, evidence)
}
