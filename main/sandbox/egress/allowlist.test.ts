import { describe, expect, it } from 'vitest'
import { isListed, parseRule } from './allowlist.ts'
import { decide } from './destination.ts'
import { isPublicAddress } from './public-address.ts'

const rules = (...texts: string[]) => texts.map(parseRule)

describe('the allowlist', () => {
  it('lets a named host through on 80 and 443 and on no other port', () => {
    const list = rules('Example.ORG.')
    expect(isListed(list, 'example.org', 443)).toBe(true)
    expect(isListed(list, 'example.org', 80)).toBe(true)
    expect(isListed(list, 'example.org', 22)).toBe(false)
    expect(isListed(list, 'www.example.org', 443)).toBe(false)
  })

  it('takes a star for everything below a domain, neither for itself nor for a name that only ends like it', () => {
    const list = rules('*.example.org')
    expect(isListed(list, 'a.b.example.org', 443)).toBe(true)
    expect(isListed(list, 'example.org', 443)).toBe(false)
    expect(isListed(list, 'badexample.org', 443)).toBe(false)
  })

  it('takes a port that is named as the only one', () => {
    const list = rules('example.org:8443', '[::1]:9000')
    expect(isListed(list, 'example.org', 8443)).toBe(true)
    expect(isListed(list, 'example.org', 443)).toBe(false)
    expect(isListed(list, '::1', 9000)).toBe(true)
  })

  it.each(['*', '*.org', 'https://example.org/', 'example.org:0', 'example.org:70000', 'a b', '', '*.10.0.0.1'])(
    'refuses the rule “%s” with a reason',
    (text) => {
      expect(() => parseRule(text)).toThrow(/cannot be allowed/)
    },
  )
})

describe('where a name leads', () => {
  const to =
    (...addresses: string[]) =>
    async () =>
      addresses

  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '::1',
    '::',
    'fe80::1',
    'fd00::1',
    'fec0::2',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:db8::1',
  ])('%s is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })

  it.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '2606:4700::1111', '2a00:1450::1'])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  it('refuses an allowed name that points into a private network', async () => {
    const decision = await decide(rules('inside.test'), { host: 'inside.test', port: 443 }, to('192.168.0.1'))
    expect(decision).toMatchObject({ kind: 'refused', reason: expect.stringContaining('private') })
  })

  it('drops only the private ones of several addresses', async () => {
    const decision = await decide(
      rules('both.test'),
      { host: 'both.test', port: 443 },
      to('127.0.0.1', '93.184.216.34'),
    )
    expect(decision).toMatchObject({ kind: 'allowed', addresses: ['93.184.216.34'] })
  })

  it('goes to a private address that is itself on the list', async () => {
    const list = rules('inside.test', '192.168.0.1')
    const decision = await decide(list, { host: 'inside.test', port: 443 }, to('192.168.0.1'))
    expect(decision).toMatchObject({ kind: 'allowed', addresses: ['192.168.0.1'] })
  })

  it.each(['2130706433', '0x7f.1', '127.1', '[::ffff:127.0.0.1]'])(
    'is not fooled by another spelling of loopback: %s',
    async (host) => {
      const decision = await decide(rules('example.org'), { host, port: 443 }, to('93.184.216.34'))
      expect(decision.kind).toBe('refused')
    },
  )

  it('says so when a name does not exist', async () => {
    const missing = () => Promise.reject(new Error('ENOTFOUND'))
    expect(await decide(rules('gone.test'), { host: 'gone.test', port: 443 }, missing)).toMatchObject({
      kind: 'failed',
    })
  })
})
