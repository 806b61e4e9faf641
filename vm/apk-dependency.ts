import { GodHandError } from '../main/contract/errors.ts'
import { isVersion, type Operator, satisfies } from './apk-version.ts'

/** `conflict`: a package that fits must not be there. */
export type Dependency = {
  name: string
  conflict: boolean
  constraint: { operator: Operator; version: string } | null
}

/** What a package can stand for: itself, so:libx.so.1, cmd:tool, or a name several share (without a version). */
export type Provision = { name: string; version: string | null }

const OPERATORS = new Set<string>(['=', '<', '<=', '>', '>=', '~'] satisfies Operator[])
const isOperator = (text: string): text is Operator => OPERATORS.has(text)

export function parseDependency(text: string): Dependency {
  const [, mark = '', name = '', sign = '', version = ''] =
    /^(!?)([^<>=~@!]+)(?:@[\w-]+)?([<>=~]*)(.*)$/.exec(text) ?? []
  if (name === '') throw nonsense(text)
  const conflict = mark === '!'
  if (sign === '' && version === '') return { name, conflict, constraint: null }
  const operator = sign === '=~' || sign === '~=' ? '~' : sign
  if (!isOperator(operator) || version === '') throw nonsense(text)
  return { name, conflict, constraint: { operator, version } }
}

export function parseProvision(text: string): Provision {
  const [name = '', version] = text.split('=', 2)
  if (name === '') throw nonsense(text)
  return { name, version: version ?? null }
}

export function fits(provision: Provision, dependency: Dependency): boolean {
  if (provision.name !== dependency.name) return false
  const { constraint } = dependency
  if (constraint === null) return true
  if (provision.version === null || !isVersion(provision.version)) return false
  return satisfies(provision.version, constraint.operator, constraint.version)
}

export function written({ name, conflict, constraint }: Dependency): string {
  return `${conflict ? '!' : ''}${name}${constraint ? constraint.operator + constraint.version : ''}`
}

function nonsense(text: string): GodHandError {
  return new GodHandError('corrupt', `“${text}” is not how an Alpine package names another.`)
}
