/**
 * Reads what small models write for JSON: single quotes, bare words, trailing commas, Python's True and None, raw line
 * breaks in strings, and an end that never came. Gives undefined where there is nothing to read.
 */
export function looseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return new LooseReader(text).read()
  }
}

/** The first object in a text, wherever it begins: after words, in a code fence, without its last braces. */
export function firstObject(text: string): unknown {
  for (let at = text.indexOf('{'); at !== -1; at = text.indexOf('{', at + 1)) {
    const value = new LooseReader(text.slice(at)).read()
    if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) return value
  }
  return undefined
}

const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }
const words: Record<string, unknown> = { true: true, True: true, false: false, False: false, null: null, None: null }
const DEEPEST = 50

class LooseReader {
  readonly #text: string
  #at = 0
  #depth = 0

  constructor(text: string) {
    this.#text = text
  }

  read(): unknown {
    this.#space()
    const char = this.#text[this.#at]
    if (char === undefined || this.#depth > DEEPEST) return undefined
    if (char === '{') return this.#object()
    if (char === '[' || char === '(') return this.#array(char === '[' ? ']' : ')')
    if (char === '"' || char === "'") return this.#string(char)
    return this.#bare()
  }

  #object(): Record<string, unknown> {
    const entries: [string, unknown][] = []
    this.#at++
    this.#depth++
    for (;;) {
      this.#skip(',')
      const char = this.#text[this.#at]
      if (char === undefined || char === '}') break
      const before = this.#at
      const key = char === '"' || char === "'" ? this.#string(char) : this.#word(/[\s:,{}[\]]/)
      this.#space()
      if (this.#text[this.#at] === ':') this.#at++
      const value = this.read()
      if (key !== '') entries.push([key, value])
      if (this.#at === before) this.#at++ // something unreadable: step over it
    }
    this.#at++
    this.#depth--
    return Object.fromEntries(entries)
  }

  #array(end: string): unknown[] {
    const items: unknown[] = []
    this.#at++
    this.#depth++
    for (;;) {
      this.#skip(',')
      const char = this.#text[this.#at]
      if (char === undefined || char === end || char === '}' || char === ']') break
      const before = this.#at
      items.push(this.read())
      if (this.#at === before) this.#at++
    }
    if (this.#text[this.#at] === end) this.#at++
    this.#depth--
    return items
  }

  #string(quote: string): string {
    let out = ''
    for (this.#at++; this.#at < this.#text.length; this.#at++) {
      const char = this.#text[this.#at] ?? ''
      if (char === quote) {
        this.#at++
        return out
      }
      if (char !== '\\') {
        out += char
        continue
      }
      const next = this.#text[++this.#at] ?? ''
      const code = /^[0-9a-fA-F]{4}/.exec(this.#text.slice(this.#at + 1, this.#at + 5))
      if (next === 'u' && code) {
        out += String.fromCharCode(Number.parseInt(code[0], 16))
        this.#at += 4
      } else out += escapes[next] ?? next
    }
    return out
  }

  #bare(): unknown {
    const word = this.#word(/[,}\])\n]/).trim()
    if (word in words) return words[word]
    return word !== '' && Number.isFinite(Number(word)) ? Number(word) : word
  }

  #word(end: RegExp): string {
    const start = this.#at
    while (this.#at < this.#text.length && !end.test(this.#text[this.#at] ?? '')) this.#at++
    return this.#text.slice(start, this.#at)
  }

  #space(): void {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at++
  }

  #skip(char: string): void {
    this.#space()
    while (this.#text[this.#at] === char) {
      this.#at++
      this.#space()
    }
  }
}
