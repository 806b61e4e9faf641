const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i // devices, on Windows
const LONGEST = 180 // bytes; file systems take 255, and a number may be added

/**
 * A name a guest chose, fit to be given to a file on any host: no folders, no control or direction marks, nothing a
 * file system or shell takes for something else, and not hidden.
 */
export function safeFileName(wanted: string): string {
  const plain = wanted
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu, '')
    .replace(/[/\\<>:"|?*]/g, '_')
    .replace(/^[.\s~-]+/, '_')
    .replace(/[.\s]+$/, '')
  const short = cut(plain)
  if (short === '' || short === '_') return 'file'
  return RESERVED.test(short) ? `_${short}` : short
}

/** Keeps the ending, which says what the file is. */
function cut(name: string): string {
  if (Buffer.byteLength(name) <= LONGEST) return name
  const ending = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? ''
  let stem = name.slice(0, name.length - ending.length)
  while (Buffer.byteLength(stem) > LONGEST - ending.length) stem = [...stem].slice(0, -1).join('')
  return stem + ending
}
