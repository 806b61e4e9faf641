import { GodHandError } from '../../../contract/errors.ts'

/** Replaces the one place where `old` stands. Several places or none are refused, so that nothing is changed by accident. */
export function replaceOnce(old: string, replacement: string): (text: string) => string {
  return (text) => {
    if (old === '') throw new GodHandError('bad_request', 'The text to replace is empty.')
    const places = text.split(old).length - 1
    if (places === 0)
      throw new GodHandError('bad_request', 'The text to replace is not in the file. Nothing was changed.')
    if (places > 1)
      throw new GodHandError(
        'bad_request',
        `The text to replace is in the file ${places} times. Nothing was changed: give more of the text around it.`,
      )
    return text.replace(old, () => replacement)
  }
}

/** Puts text after a line; 0 is the very beginning. */
export function insertAfterLine(line: number, addition: string): (text: string) => string {
  return (text) => {
    const lines = text.split('\n')
    const last = text.endsWith('\n') || text === '' ? lines.length - 1 : lines.length
    if (line < 0 || line > last)
      throw new GodHandError(
        'bad_request',
        `The file has ${last} lines; there is no line ${line}. Nothing was changed.`,
      )
    lines.splice(line, 0, ...addition.replace(/\n$/, '').split('\n'))
    return lines.join('\n')
  }
}
