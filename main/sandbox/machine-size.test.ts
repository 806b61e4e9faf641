import { describe, expect, it } from 'vitest'
import { machineSizeFor } from './machine-size.ts'

const GB = 1024 ** 3

describe('a machine’s size by the host’s', () => {
  it.each([
    [3.9, 512],
    [4, 1024],
    [7.9, 1024],
    [8, 2048],
    [64, 2048],
  ])('of %d GB is %d MB', (hostGb, memoryMb) => {
    expect(machineSizeFor({ memoryBytes: hostGb * GB, cpus: 8 }).memoryMb).toBe(memoryMb)
  })

  it('leaves a single processor its only one', () => {
    expect(machineSizeFor({ memoryBytes: 8 * GB, cpus: 1 }).cpus).toBe(1)
  })
})
