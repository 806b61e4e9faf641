import { expect, it } from 'vitest'
import { browserPolicy, settingsScript } from './guest-settings.ts'

it('adds the proxy to the browser’s policy and keeps what else it says', () => {
  const existing = JSON.stringify({ policies: { DisableTelemetry: true, Proxy: { Mode: 'none' } } })
  expect(JSON.parse(browserPolicy(3128, existing))).toMatchObject({
    policies: { DisableTelemetry: true, Proxy: { Mode: 'manual', HTTPProxy: '127.0.0.1:3128' } },
  })
})

it('writes a policy of its own where the guest’s is missing or broken', () => {
  for (const existing of [null, '{broken', '[]'])
    expect(JSON.parse(browserPolicy(3128, existing))).toMatchObject({ policies: { Proxy: { Mode: 'manual' } } })
})

it('keeps programs in the guest from asking the proxy for the guest itself', () => {
  expect(settingsScript(3128, null)).toContain('no_proxy=localhost,127.0.0.1,::1')
})
