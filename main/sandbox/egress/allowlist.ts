import net from 'node:net'
import { GodHandError } from '../../contract/errors.ts'
import { canonicalHost, splitPort } from './host-name.ts'

export const DEFAULT_PORTS = [80, 443]

/**
 * What a task may reach. Written as
 *   example.org          that host, on 80 and 443
 *   *.example.org        everything below it, not itself
 *   example.org:8443     only that port
 *   192.168.1.20:8080    an address; the only way to reach one that is not public
 */
export type Rule = { host: string; below: boolean; ports: number[] }

export function parseRule(text: string): Rule {
  const bad = (why: string) =>
    new GodHandError('bad_request', `“${text}” cannot be allowed: ${why}.`, {
      hint: 'Name hosts, one each: example.org, *.example.org or example.org:8443.',
    })
  const wanted = text.trim()
  if (wanted.includes('/')) throw bad('it is an address of a page, not the name of a host')
  const split = splitPort(wanted)
  if (!split) throw bad('it does not end in a port between 1 and 65535')
  const below = split.host.startsWith('*.')
  const host = canonicalHost(below ? split.host.slice(2) : split.host)
  if (host === null) throw bad('it is not the name of a host')
  if (below && (net.isIP(host) !== 0 || !host.includes('.'))) throw bad('the star stands for too much')
  return { host, below, ports: split.port === null ? DEFAULT_PORTS : [split.port] }
}

/** Whether the rules name this host, which must be in canonical form. */
export function isListed(rules: Rule[], host: string, port: number): boolean {
  return rules.some((rule) => rule.ports.includes(port) && (rule.below ? isBelow(host, rule.host) : host === rule.host))
}

function isBelow(host: string, domain: string): boolean {
  return host.endsWith(`.${domain}`) && net.isIP(host) === 0
}
