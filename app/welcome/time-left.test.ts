import { expect, it } from 'vitest'
import { type Sample, timeLeft, withSample } from './time-left.ts'

const steady = (seconds: number, perSecond: number): Sample[] =>
  Array.from({ length: seconds + 1 }, (_, second) => ({ at: second * 1000, share: second * perSecond }))

it('says nothing before there is a pace to judge by', () => {
  expect(timeLeft([], 0)).toBeNull()
  expect(timeLeft(steady(1, 0.1), 1000)).toBeNull()
  expect(timeLeft(steady(10, 0.001), 10_000)).toBeNull()
})

it('goes by the pace of late, not by that of the beginning', () => {
  expect(timeLeft(steady(5, 0.1), 5000)).toBeCloseTo(5000)
  const slower = [...steady(10, 0.05), ...[40, 50, 60].map((second) => ({ at: second * 1000, share: second / 100 }))]
  expect(timeLeft(slower, 60_000)).toBeCloseTo(40_000)
})

it('counts down between two reports, and falls silent when they stay away', () => {
  expect(timeLeft(steady(5, 0.1), 7000)).toBeCloseTo(3000)
  expect(timeLeft(steady(5, 0.1), 15_000)).toBeNull()
})

it('begins anew when the work does', () => {
  expect(withSample(steady(5, 0.1), { at: 6000, share: 0 })).toEqual([{ at: 6000, share: 0 }])
})
