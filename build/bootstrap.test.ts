import { describe, expect, it } from 'vitest'
// @ts-expect-error plain JavaScript, because it runs before TypeScript can
import { matchesLock } from './bootstrap.mjs'

const lock = (packages: Record<string, unknown>) => JSON.stringify({ packages: { '': {}, ...packages } })
const wanted = lock({ 'node_modules/a': { version: '1.0.0' }, 'node_modules/b': { version: '2.0.0', optional: true } })

describe('installed packages', () => {
  it('are those of the lock file, apart from what is for other platforms', () => {
    expect(matchesLock(wanted, lock({ 'node_modules/a': { version: '1.0.0' } }))).toBe(true)
  })

  it.each([
    ['one is missing', lock({ 'node_modules/b': { version: '2.0.0' } })],
    ['one has another version', lock({ 'node_modules/a': { version: '1.0.1' } })],
    ['npm did not come to its end', ''],
  ])('are installed again when %s', (_name, installed) => {
    expect(matchesLock(wanted, installed)).toBe(false)
  })
})
