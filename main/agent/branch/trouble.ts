const trouble =
  /\b(errors?|failed|failure|denied|fatal|exception|traceback|crashed|not responding|not found|no such|cannot|can['’]t|unable)\b/i

/** Lines read off a screen that speak of trouble. */
export function troubleIn(lines: { text: string }[]): string[] {
  return lines.map(({ text }) => text).filter((text) => trouble.test(text))
}
