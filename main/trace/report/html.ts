/** Markup that is known to be safe. Only `html` makes it, and it escapes every value that is not markup already. */
export class Markup {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Value = string | number | null | undefined | false | Markup | Value[]

export function html(parts: TemplateStringsArray, ...values: Value[]): Markup {
  return new Markup(parts.reduce((all, part, n) => all + shown(values[n - 1]) + part))
}

function shown(value: Value): string {
  if (value instanceof Markup) return value.text
  if (Array.isArray(value)) return value.map(shown).join('')
  if (value === null || value === undefined || value === false) return ''
  return escapeText(String(value))
}

/** For text and for values in quotes. Control characters would be invisible, so they are made visible. */
export function escapeText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[&<>"'`]/g, (sign) => `&#${sign.charCodeAt(0)};`)
    .replace(/(?![\t\n\r])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
}
