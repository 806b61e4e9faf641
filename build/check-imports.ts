import { globSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import path from 'node:path'
import { parseSync } from 'vite'
import { objection } from './import-rules.ts'
import { root as projectRoot } from './root.ts'

const folders = ['app', 'bench', 'build', 'e2e', 'main', 'vm']

export type Violation = { file: string; line: number; specifier: string; reason: string }

/** Every import that goes against the layers of docs/ARCHITECTURE.md. */
export function findViolations(root: string): Violation[] {
  const files = globSync(
    folders.map((folder) => `${folder}/**/*.{ts,tsx,mts,mjs}`),
    { cwd: root, exclude: ['**/node_modules/**'] },
  )
  return files.sort().flatMap((name) => {
    const file = name.split(path.sep).join('/')
    return violationsIn(file, readFileSync(path.join(root, file), 'utf8'))
  })
}

export function violationsIn(file: string, text: string): Violation[] {
  return importsOf(file, text).flatMap(({ specifier, offset }) => {
    const reason = objection(file, targetOf(file, specifier))
    return reason === null ? [] : [{ file, line: text.slice(0, offset).split('\n').length, specifier, reason }]
  })
}

function targetOf(file: string, specifier: string): { file: string } | { package: string } {
  if (specifier.startsWith('.')) return { file: path.posix.join(path.posix.dirname(file), specifier) }
  return { package: isBuiltin(specifier) && !specifier.startsWith('node:') ? `node:${specifier}` : specifier }
}

type Import = { specifier: string; offset: number }

/** Static, dynamic and type-only imports, re-exports and require: everything that names another module. */
export function importsOf(file: string, text: string): Import[] {
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file} can't be parsed: ${errors[0]?.message}`)
  const found: Import[] = []
  visit(program, (node) => {
    const source =
      node.type === 'CallExpression' && isNamed(node.callee, 'require') ? first(node.arguments) : node.source
    if (isLiteral(source)) found.push({ specifier: source.value, offset: source.start })
  })
  return found
}

type Node = Record<string, unknown>

function visit(value: unknown, onNode: (node: Node) => void): void {
  if (Array.isArray(value)) for (const item of value) visit(item, onNode)
  else if (isNode(value)) {
    onNode(value)
    for (const child of Object.values(value)) visit(child, onNode)
  }
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null
const isNamed = (value: unknown, name: string) => isNode(value) && value.type === 'Identifier' && value.name === name
const first = (value: unknown): unknown => (Array.isArray(value) ? value[0] : undefined)
const isLiteral = (value: unknown): value is { value: string; start: number } =>
  isNode(value) && value.type === 'Literal' && typeof value.value === 'string' && typeof value.start === 'number'

if (import.meta.main) {
  const violations = findViolations(projectRoot)
  for (const { file, line, specifier, reason } of violations)
    process.stderr.write(`${file}:${line} imports ${specifier}, but ${reason}.\n`)
  if (violations.length > 0) process.stderr.write(`${violations.length} imports go the wrong way.\n`)
  process.exit(violations.length > 0 ? 1 : 0)
}
