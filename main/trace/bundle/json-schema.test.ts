import fs from 'node:fs'
import { expect, test } from 'vitest'
import { jsonSchema, jsonSchemaFile } from './json-schema.ts'

test('docs/trace.schema.json is what the code reads (else run node main/trace/bundle/json-schema.ts)', () => {
  expect(JSON.parse(fs.readFileSync(jsonSchemaFile, 'utf8'))).toEqual(JSON.parse(JSON.stringify(jsonSchema())))
})

test('the schema names every file of the bundle and refuses other versions', () => {
  const schema = JSON.parse(JSON.stringify(jsonSchema()))
  expect(Object.keys(schema.properties)).toEqual(['manifest', 'step', 'lineage'])
  expect(schema.properties.manifest.properties.version).toMatchObject({ const: 1 })
})
