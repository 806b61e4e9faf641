import { z } from 'zod'
import { Region } from './geometry.ts'

/** A statement about the machine that can be checked, and the evidence of the check. */

/** How text is compared: as it stands, forgiving small misreadings, or as a regular expression. */
const TextMatch = {
  text: z.string().min(1).max(10_000),
  match: z.enum(['contains', 'exact', 'fuzzy', 'regex']).default('contains'),
}
const GuestPath = z.string().min(1).max(4096)

const Simple = [
  z.object({ check: z.literal('text_visible'), ...TextMatch, region: Region.optional() }),
  z.object({ check: z.literal('text_gone'), ...TextMatch, region: Region.optional() }),
  z.object({
    check: z.literal('region_equals'),
    frame: z.string(), // hash of the reference frame
    region: Region.optional(),
    tolerance: z.number().min(0).max(1).default(0.01), // share of pixels that may differ
  }),
  z.object({
    check: z.literal('region_differs'),
    frame: z.string(),
    region: Region.optional(),
    tolerance: z.number().min(0).max(1).default(0.01),
  }),
  z.object({ check: z.literal('screen_changed'), sinceFrame: z.string().optional(), region: Region.optional() }),
  z.object({ check: z.literal('window_open'), title: z.string().min(1), match: TextMatch.match }),
  z.object({ check: z.literal('window_active'), title: z.string().min(1), match: TextMatch.match }),
  z.object({ check: z.literal('file_exists'), path: GuestPath, exists: z.boolean().default(true) }),
  z.object({ check: z.literal('file_content'), path: GuestPath, ...TextMatch }),
  z.object({ check: z.literal('file_hash'), path: GuestPath, sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
  z.object({
    check: z.literal('process_running'),
    name: z.string().min(1).max(200),
    running: z.boolean().default(true),
  }),
  z.object({
    check: z.literal('command'),
    argv: z.array(z.string().max(10_000)).min(1).max(100), // never passed through a shell
    exitCode: z.number().int().default(0),
    output: z.object(TextMatch).optional(),
  }),
  z.object({ check: z.literal('browser'), url: z.object(TextMatch).optional(), title: z.object(TextMatch).optional() }),
  z.object({ check: z.literal('clipboard'), ...TextMatch }),
] as const

export type Assertion =
  | z.output<(typeof Simple)[number]>
  | { check: 'all'; of: Assertion[] }
  | { check: 'any'; of: Assertion[] }
  | { check: 'not'; of: Assertion }
export type AssertionInput =
  | z.input<(typeof Simple)[number]>
  | { check: 'all'; of: AssertionInput[] }
  | { check: 'any'; of: AssertionInput[] }
  | { check: 'not'; of: AssertionInput }

export const Assertion: z.ZodType<Assertion, AssertionInput> = z.lazy(() =>
  z.union([
    z.discriminatedUnion('check', [...Simple]),
    z.object({ check: z.literal('all'), of: z.array(Assertion).min(1).max(50) }),
    z.object({ check: z.literal('any'), of: z.array(Assertion).min(1).max(50) }),
    z.object({ check: z.literal('not'), of: Assertion }),
  ]),
)

export const Verdict = z.object({
  pass: z.boolean(),
  summary: z.string(), // one sentence: what was expected and what was found
  tookMs: z.number(),
  samples: z.number().int(), // how often it was looked at until the answer was stable or time was up
  evidence: z.record(z.string(), z.unknown()), // what was seen: text, boxes, output, hashes
})
export type Verdict = z.infer<typeof Verdict>

/** An assertion and what came of it, as it stands in a trace. */
export const CheckedAssertion = z.object({ assertion: Assertion, verdict: Verdict })
export type CheckedAssertion = z.infer<typeof CheckedAssertion>
