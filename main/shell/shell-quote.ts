/** An argument vector as one line that a POSIX shell takes apart into the very same arguments. */
export function shellQuote(argv: string[]): string {
  return argv.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ')
}
