import { GodHandError } from '../../../contract/errors.ts'
import { matchText } from '../../../screen/text/match-text.ts'
import { ask, guestPath } from '../guest/run.ts'
import { type Check, excerpt, type Look, verdictOf } from '../probe.ts'

const contentLimit = 4 * 1024 * 1024

type FileFacts = { kind: string; bytes: number; modified: number }

export const fileExists: Check<'file_exists'> = async (look, assertion) => {
  const facts = await inspect(look, assertion.path)
  const seen = facts
    ? `${assertion.path} exists (${facts.kind}, ${facts.bytes} bytes).`
    : `There is no ${assertion.path}.`
  return verdictOf((facts !== null) === assertion.exists, seen, { ...facts, exists: facts !== null })
}

export const fileContent: Check<'file_content'> = async (look, assertion) => {
  const content = await read(look, assertion.path)
  if (content === null) return verdictOf(false, `There is no ${assertion.path}.`, { exists: false })
  const text = content.toString('utf8')
  const found = matchText(text, assertion)
  const evidence = { content: excerpt(text), bytes: content.length, ...(found ? { found } : {}) }
  if (found)
    return verdictOf(true, `${assertion.path} ${verbs[assertion.match]} “${excerpt(assertion.text, 100)}”.`, evidence)
  const nearly = assertion.match === 'exact' && text.trim() === assertion.text.trim()
  const why = nearly ? ' (only spaces or line breaks at the ends differ)' : ''
  const summary = `${assertion.path} does not ${verbs[assertion.match].replace(/s$/, '')} “${excerpt(assertion.text, 100)}”${why}.`
  return verdictOf(false, summary, evidence)
}

export const fileHash: Check<'file_hash'> = async (look, assertion) => {
  const result = await ask(look.sandbox, ['sha256sum', '-b', '--', guestPath(assertion.path)], { timeoutMs: 30_000 })
  if (result.exitCode !== 0)
    return verdictOf(false, `${assertion.path} cannot be read.`, { stderr: excerpt(result.stderr, 500) })
  const sha256 = /[0-9a-f]{64}/.exec(result.stdout)?.[0] ?? ''
  const holds = sha256 === assertion.sha256
  return verdictOf(holds, `${assertion.path} ${holds ? 'has' : 'does not have'} the expected content.`, { sha256 })
}

const verbs = { contains: 'contains', exact: 'equals', fuzzy: 'contains', regex: 'matches' } as const

async function inspect(look: Look, path: string): Promise<FileFacts | null> {
  const { exitCode, stdout, stderr } = await ask(look.sandbox, ['stat', '-c', '%F\t%s\t%Y', '--', guestPath(path)])
  if (exitCode === 127) throw new GodHandError('unsupported', 'The guest has no program stat.')
  if (exitCode !== 0) {
    if (/permission denied/i.test(stderr))
      throw new GodHandError('bad_request', `${path} cannot be looked at: ${stderr.trim()}`)
    return null
  }
  const [kind = '', bytes, modified] = stdout.trim().split('\t')
  return { kind, bytes: Number(bytes), modified: Number(modified) }
}

async function read(look: Look, path: string): Promise<Buffer | null> {
  return look.sandbox.readFile(guestPath(path), contentLimit).catch((thrown: unknown) => {
    const error = GodHandError.from(thrown)
    if (error.code === 'not_found') return null
    throw error
  })
}
