import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { Act, Point, Region } from '../../contract/action.ts'
import { Assertion, Verdict } from '../../contract/assertion.ts'
import { Lineage, Manifest, StepLine } from './format.ts'

/** Writes docs/trace.schema.json from the schemas the code reads with: `node main/trace/bundle/json-schema.ts`. */

export const jsonSchemaFile = new URL('../../../docs/trace.schema.json', import.meta.url)

const Bundle = z.object({
  manifest: Manifest.describe('manifest.json'),
  step: StepLine.describe('a line of steps.jsonl'),
  lineage: Lineage.describe('lineage.json'),
})

export function jsonSchema(): unknown {
  const named = z.registry<{ id: string }>()
  for (const [id, part] of Object.entries({ Act, Point, Region, Assertion, Verdict })) named.add(part, { id })
  const schema = z.toJSONSchema(Bundle, {
    target: 'draft-2020-12',
    io: 'input',
    metadata: named,
    // Later versions of GodHand may add fields; readers pass over those they do not know.
    override: ({ jsonSchema: part }) => {
      if (part.additionalProperties === false) delete part.additionalProperties
    },
  })
  return { title: 'The JSON files in a GodHand trace (.ghtrace), version 1', ...schema }
}

if (import.meta.main) {
  fs.writeFileSync(jsonSchemaFile, `${JSON.stringify(jsonSchema(), null, 2)}\n`)
  const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome')
  execFileSync(process.execPath, [biome, 'format', '--write', fileURLToPath(jsonSchemaFile)], { stdio: 'ignore' })
}
