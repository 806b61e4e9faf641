import { z } from 'zod'
import type { Act, Point } from '../../contract/action.ts'

/** When a person is asked before something is done. */
export const Policy = z.object({
  mode: z.enum(['always', 'risk', 'never']).default('risk'),
  /** Beside the usual ones. A rule fits when everything it names fits. */
  rules: z
    .array(
      z.object({
        why: z.string(), // for the person: "It sends mail."
        tools: z.array(z.string()).optional(), // kinds of acts
        pattern: z.string().optional(), // a regular expression over commands and typed text
        path: z.string().optional(), // files at or below it
        domain: z.string().optional(), // addresses of it and its subdomains
      }),
    )
    .default([]),
  /** Addresses the task is about; others are asked for. Null: any. */
  domains: z.array(z.string()).nullable().default(null),
  /** Folders the task is about; others are asked for. Null: any. */
  paths: z.array(z.string()).nullable().default(null),
})
export type Policy = z.infer<typeof Policy>

export type Risk = { index: number; act: Act; why: string }

/** Which of the acts of a turn need the person's leave, and why. Empty: none. */
export function risksIn(acts: Act[], policy: Policy): Risk[] {
  if (policy.mode === 'never') return []
  return acts.flatMap((act, index) => {
    if (harmless.has(act.type)) return []
    const why = whyRisky(act, policy) ?? (policy.mode === 'always' ? 'Every action is asked for.' : null)
    return why === null ? [] : [{ index, act, why }]
  })
}

const harmless = new Set<Act['type']>(['screenshot', 'zoom', 'cursor', 'wait', 'move'])

/** What most people want to be asked about, in commands and in text typed into a terminal. */
const usual: [pattern: RegExp, why: string][] = [
  [/\brm\s+(-\w*\s+)*-\w*[rf]\w*/i, 'It deletes files for good.'],
  [/\b(mkfs|wipefs|fdisk|parted|shred)\b|\bdd\b[^\n]*\bof=\/dev\//i, 'It overwrites a disk.'],
  [/\b(shutdown|reboot|poweroff|halt)\b|\binit\s+[06]\b/i, 'It turns the machine off.'],
  [/\b(curl|wget)\b[^\n|]*\|\s*(sudo\s+)?(ba|z|da)?sh\b/i, 'It runs a program straight from the network.'],
  [/\b(passwd|useradd|usermod|userdel|visudo|chpasswd)\b/i, 'It changes accounts.'],
  [/\bgit\s+push\b|\bnpm\s+publish\b|\btwine\s+upload\b|\bgh\s+(release|pr|repo)\b/i, 'It publishes something.'],
  [/\b(sendmail|mailx?|mutt|swaks)\b\s+-|\bsmtp:\/\//i, 'It sends mail.'],
  [/\b(scp|rsync|sftp|nc|ncat|ssh)\b[^\n]*(@|:)/i, 'It sends data to another machine.'],
  [
    /\b(curl|wget)\b[^\n]*(\s-d\b|--data|--upload-file|\s-T\b|--post|\s-F\b|-X\s*(POST|PUT|DELETE))/i,
    'It sends data to a server.',
  ],
  [/\bcrontab\b|\bsystemctl\s+(enable|disable|mask)\b/i, 'It changes what runs by itself.'],
  [/\bchmod\s+(-R\s+)?0?777\b|\bchown\s+-R\b/i, 'It changes permissions widely.'],
]

function whyRisky(act: Act, policy: Policy): string | null {
  const words = wordsOf(act)
  const rule = policy.rules.find((one) => fits(one, act, words))
  if (rule) return rule.why
  const known = usual.find(([pattern]) => pattern.test(words))
  if (known) return known[1]
  const host =
    policy.domains && hostsIn(words).find((name) => !policy.domains?.some((domain) => isWithin(name, domain)))
  if (host) return `${host} is not among the addresses of this task.`
  const path =
    policy.paths && pathsOf(act).find((name) => ![...(policy.paths ?? [])].some((folder) => isBelow(name, folder)))
  return path ? `${path} is not among the folders of this task.` : null
}

function fits(rule: Policy['rules'][number], act: Act, words: string): boolean {
  const { tools, pattern, path, domain } = rule
  if (tools === undefined && pattern === undefined && path === undefined && domain === undefined) return false
  return (
    (tools === undefined || tools.includes(act.type)) &&
    (pattern === undefined || matches(pattern, words)) &&
    (path === undefined || pathsOf(act).some((name) => isBelow(name, path))) &&
    (domain === undefined || hostsIn(words).some((name) => isWithin(name, domain)))
  )
}

/** A rule that cannot be read asks too often rather than too seldom. */
function matches(pattern: string, words: string): boolean {
  try {
    return new RegExp(pattern, 'i').test(words)
  } catch {
    return true
  }
}

function wordsOf(act: Act): string {
  return act.type === 'exec' ? act.command : act.type === 'type' ? act.text : ''
}

/** Addresses with a scheme, or a name that is typed and entered as into an address bar. */
export function hostsIn(words: string): string[] {
  const full = [...words.matchAll(/\b(?:https?|ftp|wss?):\/\/(?:[^\s/@'"]*@)?([\w.-]+|\[[\da-f:]+\])/gi)].map(
    ([, host]) => host,
  )
  const bare = /^\s*((?:[\w-]+\.)+[a-z]{2,}|\d{1,3}(?:\.\d{1,3}){3})(?:[/:][^\s]*)?\s*\n?$/i.exec(words)?.[1]
  return [...full, bare].flatMap((host) => (host ? [host.toLowerCase().replace(/\.$/, '')] : []))
}

function isWithin(host: string, domain: string): boolean {
  const wanted = domain.toLowerCase().replace(/^\*?\./, '')
  return host === wanted || host.endsWith(`.${wanted}`)
}

/** What commands name all the time without touching it. */
const everyday = ['/usr', '/bin', '/sbin', '/lib', '/proc', '/sys', '/dev/null', '/dev/stdin', '/dev/stdout', '/tmp']

/** Files that are named outright, and what looks like one in a command or in what is typed: absolute, at home, or above. */
function pathsOf(act: Act): string[] {
  if (act.type === 'read_file' || act.type === 'write_file') return [resolved(act.path)]
  const named = [
    ...withPlainFiles(wordsOf(act)).matchAll(
      /(?:^|[\s='"<>(:])((?:\/(?!\/)|~(?=\/|\s|$)|\.\.(?=\/|\s|$))[^\s'"<>|;&()]*)/g,
    ),
  ]
  const files = named.map(([, name]) => resolved(name ?? ''))
  return files.filter((name) => !everyday.some((folder) => isBelow(name, folder)))
}

/** What a browser is sent to by a file's address is that file, however it is written. */
function withPlainFiles(words: string): string {
  return words.replace(/\bfile:\/+([^\s'"<>|;&()]*)/gi, (_, address: string) => {
    const path = address.replace(/^localhost(?=\/)/i, '').replace(/^\/*/, '/')
    try {
      return ` ${decodeURIComponent(path)}`
    } catch {
      return ` ${path}`
    }
  })
}

/** Where commands of a task begin. */
const HOME = '/home/user'

function resolved(name: string): string {
  const whole = name.startsWith('/') ? name : `${HOME}/${name.replace(/^~\/?/, '')}`
  const parts: string[] = []
  for (const part of whole.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return `/${parts.join('/')}`
}

function isBelow(name: string, folder: string): boolean {
  const above = resolved(folder)
  return name === above || name.startsWith(above === '/' ? '/' : `${above}/`)
}

/** Where on the screen an act goes, to be marked in the picture that is shown with the question. */
export function targetOf(act: Act): Point | null {
  if (act.type === 'click' || act.type === 'scroll' || act.type === 'mouse_down' || act.type === 'mouse_up')
    return act.at ?? null
  if (act.type === 'move') return act.to
  return act.type === 'drag' ? (act.path.at(-1) ?? null) : null
}
