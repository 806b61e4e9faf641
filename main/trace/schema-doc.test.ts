import fs from 'node:fs'
import { expect, test } from 'vitest'
import { schemaDoc, schemaDocFile } from './schema-doc.ts'

test('docs/schema.md is what the live schema says (else run node main/trace/schema-doc.ts)', () => {
  expect(fs.readFileSync(schemaDocFile, 'utf8')).toBe(schemaDoc())
})

test('every table says what it is for', () => {
  const sections = schemaDoc().split('\n## ').slice(1)
  expect(sections.length).toBeGreaterThan(5)
  for (const section of sections) expect(section.split('\n')[2]).toMatch(/^[A-Z].*\.$/)
})
