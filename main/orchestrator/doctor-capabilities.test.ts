import { expect, it } from 'vitest'
import type { Capabilities } from '../contract/machine.ts'
import { describeCapabilities } from './doctor-capabilities.ts'
import { openTestEngine } from './testing.ts'

const all: Capabilities = {
  driver: 'qemu',
  accelerator: 'tcg',
  exec: true,
  ramSnapshot: true,
  diskSnapshot: true,
  fork: true,
  pause: true,
  liveView: true,
  unproven: [],
}

it('says what machines can do here', () => {
  const { status, summary } = describeCapabilities(all)
  expect(status).toBe('ok')
  expect(summary).toContain('qemu with tcg: commands and files, snapshots with memory')
})

it('says what an accelerator takes away, and why', () => {
  const check = describeCapabilities({ ...all, accelerator: 'whpx', ramSnapshot: false, fork: false })
  expect(check).toMatchObject({ status: 'warning', hint: expect.stringContaining('WHPX') })
  expect(check.summary).toMatch(/Not here: snapshots with memory, forks of a running machine$/)
})

it('is part of what the doctor tells', async () => {
  const test = await openTestEngine()
  try {
    const checks = await test.engine.call('engine.doctor', {})
    expect(checks.map(({ name }) => name)).toContain('capabilities')
  } finally {
    await test.close()
  }
})
