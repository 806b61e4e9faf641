/**
 * Puts values into a shell command so that the shell reads exactly the value, wherever the name stands: bare, in single or
 * double quotes, or in a here-document. A password with a quote or a dollar in it must neither break the command nor run.
 */
export function insertIntoCommand(command: string, values: ReadonlyMap<string, string>): string {
  let out = ''
  let quote: '' | "'" | '"' = ''
  let document: { word: string; literal: boolean } | null = null // the here-document that starts on the next line
  let inside: { word: string; literal: boolean } | null = null
  for (let at = 0; at < command.length; ) {
    const rest = command.slice(at)
    const named = /^\{\{\s*([\w.-]+)\s*\}\}/.exec(rest)
    const value = named?.[1] === undefined ? undefined : values.get(named[1])
    if (named && value !== undefined) {
      out += inside ? inDocument(value, inside.literal) : inQuotes(value, quote)
      at += named[0].length
      continue
    }
    const char = command[at] ?? ''
    if (inside) {
      const line = /^\n[ \t]*([^\n]*)/.exec(rest)
      if (line?.[1] === inside.word) inside = null
    } else if (quote === '' && rest.startsWith('<<') && !rest.startsWith('<<<')) {
      const start = /^<<-?\s*(['"\\]?)([A-Za-z_][\w.-]*)/.exec(rest)
      if (start?.[2]) document = { word: start[2], literal: start[1] !== '' }
      const length = start?.[0].length ?? 2
      out += command.slice(at, at + length)
      at += length
      if (start && (start[1] === "'" || start[1] === '"')) out += command[at++] ?? '' // its closing quote
      continue
    } else if (char === '\n' && document && quote === '') {
      inside = document
      document = null
    } else if (quote === '') {
      if (char === "'" || char === '"') quote = char
    } else if (char === quote) quote = ''
    // What is escaped neither opens nor closes anything.
    const escaped = char === '\\' && quote !== "'" && !inside ? (command[at + 1] ?? '') : ''
    out += char + escaped
    at += 1 + escaped.length
  }
  return out
}

function inQuotes(value: string, quote: '' | "'" | '"'): string {
  const single = value.replaceAll("'", `'\\''`)
  if (quote === "'") return single
  if (quote === '"') return value.replaceAll(/[\\"$`]/g, '\\$&')
  return `'${single}'`
}

function inDocument(value: string, literal: boolean): string {
  return literal ? value : value.replaceAll(/[\\$`]/g, '\\$&')
}
