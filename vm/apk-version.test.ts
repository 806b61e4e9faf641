import { describe, expect, it } from 'vitest'
import { compareVersions, satisfies } from './apk-version.ts'

describe('versions', () => {
  it.each([
    ['1.2.3-r0', '1.2.3-r1'],
    ['1.9', '1.10'],
    ['1.2', '1.2.1'],
    ['1.0_rc1', '1.0'],
    ['1.0_alpha2', '1.0_beta1'],
    ['1.0', '1.0_p1'],
    ['1.0_pre1-r5', '1.0-r0'],
    ['1.2a', '1.2b'],
    ['1.01', '1.1'],
    ['2.9.1-r0', '10.0-r0'],
    ['0.1.0_git20230101-r0', '0.1.1-r0'],
  ])('%s is older than %s', (older, newer) => {
    expect(compareVersions(older, newer)).toBeLessThan(0)
    expect(compareVersions(newer, older)).toBeGreaterThan(0)
    expect(compareVersions(older, older)).toBe(0)
  })

  it('understands “at least”, “below”, “exactly” and “beginning with”', () => {
    expect(satisfies('1.2.3-r4', '>=', '1.2.3')).toBe(true)
    expect(satisfies('1.2.3-r4', '<', '1.2.3')).toBe(false)
    expect(satisfies('1.2.3-r4', '=', '1.2.3-r4')).toBe(true)
    expect(satisfies('3.12.4-r0', '~', '3.12')).toBe(true)
    expect(satisfies('3.13.0-r0', '~', '3.12')).toBe(false)
  })
})
