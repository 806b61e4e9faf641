import { describe, expect, it } from 'vitest'
import type { Progress } from '../main/contract/progress.ts'
import { lastPercent } from './disk.ts'
import { releaseFile } from './package-index.ts'
import { debian } from './recipes/debian.ts'
import { installCounter, mmdebstrapArguments } from './rootfs.ts'

describe('installing the packages', () => {
  it('counts each package once when unpacked and once when set up', () => {
    const seen: Progress[] = []
    const count = installCounter(2, (progress) => seen.push(progress))
    for (const line of [
      'Get:1 copy:/x ./ bash 5 [1 B]',
      'Unpacking bash (5.2-1) ...',
      'Unpacking sed (4.9) ...',
      'Setting up bash (5.2-1) ...',
      'Processing triggers for libc-bin ...',
      'Setting up sed (4.9) ...',
    ])
      count(line)
    expect(seen.map(({ done, total, detail }) => [done, total, detail])).toEqual([
      [1, 4, 'bash'],
      [2, 4, 'sed'],
      [3, 4, 'bash'],
      [4, 4, 'sed'],
    ])
  })

  it('asks for the recipe’s packages and keeps documentation out, from one source only', () => {
    const args = mmdebstrapArguments(debian.minimal, '/out', 'deb [trusted=yes] copy:/debs ./')
    expect(args.slice(-3)).toEqual(['trixie', '/out', 'deb [trusted=yes] copy:/debs ./'])
    expect(args).toContain('--dpkgopt=path-exclude=/usr/share/doc/*')
    expect(args.find((arg) => arg.startsWith('--include='))?.split(/[=,]/)).toContain('openbox')
  })

  it('describes the folder of packages as the suite they are for', () => {
    const text = releaseFile('trixie', 'Package: a\n')
    expect(text).toMatch(/^Suite: trixie\nCodename: trixie\n/)
    expect(text).toMatch(/^ [0-9a-f]{64} 11 Packages$/m)
  })
})

it('reads how far qemu-img is from the line it keeps rewriting', () => {
  expect(lastPercent('    (0.00/100%)\r    (12.51/100%)\r')).toBe(12)
  expect(lastPercent('qemu-img: warning')).toBeUndefined()
})

describe('the recipes', () => {
  it('differ by the browser', () => {
    expect(debian.desktop.packages).toContain('firefox-esr')
    expect(debian.minimal.packages).not.toContain('firefox-esr')
  })

  it('remove nothing outside the guest’s root', () => {
    for (const pattern of [...debian.desktop.strip, ...debian.minimal.strip]) {
      expect(pattern).toMatch(/^[a-z]/)
      expect(pattern).not.toMatch(/\.\.|[\s;&`$]/)
    }
  })
})
