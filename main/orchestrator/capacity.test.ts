import { describe, expect, it } from 'vitest'
import { admit, expectedMb, reserveMb } from './capacity.ts'

const GB = 1024 ** 3
const laptop = { totalBytes: 8 * GB, availableBytes: 5 * GB }

describe('a host of 8 GB with 5 GB available', () => {
  it('takes three forks of a 2 GB desktop', () => {
    expect(() => admit([2048, 2048, 2048], 0, laptop)).not.toThrow()
  })

  it('refuses eight, and says how many fit', () => {
    expect(() => admit(Array(8).fill(2048), 0, laptop)).toThrow(
      expect.objectContaining({ code: 'capacity', hint: 'There is room for 4.' }),
    )
  })

  it('counts what running machines have been promised', () => {
    const promised = 5 * 1024 - reserveMb(laptop) - expectedMb(2048) + 1
    expect(() => admit([2048], promised, laptop)).toThrow(expect.objectContaining({ code: 'capacity' }))
    expect(() => admit([2048], promised - 1, laptop)).not.toThrow()
  })
})
